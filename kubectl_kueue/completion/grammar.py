"""What a command line may consist of: the form of the table in words.py.

A meaning says what a value or a word stands for:

    text                    anything; there is nothing to offer
    file [EXT...], dir      a path
    one WORD...             one of these words
    several WORD...         some of these words, with commas
    name KIND [STATE]       the name of an object of this kind; STATE: that goes on (on), is stopped (off)
    head KIND END           such a name with END behind it, as the beginning of more
    config SECTION          an entry of the kubeconfig
    object KIND...          KIND/NAME of one of these kinds
    kind KIND...            a word for one of these kinds, or KIND/NAME
    kindor KIND,... KIND... the same, or the name of an object of the first kinds
    names [STATE]           the name of an object of the kind that the first word names

KIND is the API's name of a kind in words.py, or a word for another one; =WORD is a word without names.
"""


class Flag:
    """A flag; `takes` is the meaning of its value, empty for a switch."""

    __slots__ = ("help", "several", "short", "takes")

    def __init__(self, short: str, takes: str, several: bool, help: str) -> None:
        self.short = short
        self.takes = takes
        self.several = several
        self.help = help


class Command:
    """A command: its flags, the meanings of its words (`more`: the last one again and again), and what is
    below it."""

    __slots__ = ("below", "flags", "help", "more", "words")

    def __init__(
        self,
        help: str,
        flags: "dict[str, Flag]",
        words: "tuple[str, ...]" = (),
        more: bool = False,
        below: "dict[str, Command] | None" = None,
    ) -> None:
        self.help = help
        self.flags = flags
        self.words = words
        self.more = more
        self.below = below or {}
