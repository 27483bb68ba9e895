"""One line for each object: the tables of `list`. A module for each family of kinds."""
