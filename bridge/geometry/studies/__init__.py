"""Studies of geometry: finite random networks against closed forms, and what training does to volume and curvature."""
