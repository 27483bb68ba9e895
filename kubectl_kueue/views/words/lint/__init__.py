"""The sentences of `lint`: one module a subject, as the rules have them; sentences.py fills them in."""
