# SPDX-License-Identifier: GPL-3.0-or-later
"""kernel_stats - the operation scripts on a kernel with SLUB's statistics: see kernel_sequences.py."""
from kernel_sequences import compare

compare('stats')
