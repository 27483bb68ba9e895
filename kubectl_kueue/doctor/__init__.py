"""What doctor looks at and what it finds; which words it uses is decided in views/."""
