"""The compiled core: arithmetic and tests of a tape as loops of machine code, whose results have the same bits.

Additions, multiplications, divisions, roots and tests of a stage are fused. Transcendental functions, and whatever a
tape holds as one opaque operation, stay the calls of numpy that they are, and separate the stages.
"""
