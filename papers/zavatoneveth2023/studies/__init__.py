"""Studies of geometry: finite random networks against closed forms, and changes of volume and curvature by training."""
