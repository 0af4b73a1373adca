"""The trick games' own modules for tests (`plain/`): laid decks, and the rules written a second time, plainly."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "plain"))
