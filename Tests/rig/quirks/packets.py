"""Rows 57 to 73: video and audio packets."""
