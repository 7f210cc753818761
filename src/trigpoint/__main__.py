"""`python -m trigpoint`."""

from trigpoint.cli.main import main

main()
