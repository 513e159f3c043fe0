"""What to say about a name that does not exist: the words of the theory, under the name that the commands use."""

from theory.core.suggestions import unknown as unknown
