"""The fairness tests' own modules (`plain/`): faulty shufflers, and logs that show one incident each."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "plain"))
