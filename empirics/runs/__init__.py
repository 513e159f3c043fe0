"""What a run is and leaves behind: its configuration, the session in which it works, and the trace."""
