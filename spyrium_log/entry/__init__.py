"""The recorder without a screen: keys and half-typed notation become choices, a preview, and a request."""
