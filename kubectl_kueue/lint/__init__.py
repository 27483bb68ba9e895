"""What is wrong with manifests, before or after they are applied: rules as data, and small functions."""
