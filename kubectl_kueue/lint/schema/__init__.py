"""The fields of the kinds of Kueue, as the API server checks them."""
