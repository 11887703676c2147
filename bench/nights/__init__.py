"""Night scenes as an infrared camera sees them, with labels."""
