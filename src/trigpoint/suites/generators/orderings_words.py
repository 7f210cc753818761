"""The words of orderings/1: what stands in an order, and how that is said. Part of the version: never edited."""

from __future__ import annotations

from typing import NamedTuple


class Scene(NamedTuple):
    """A setting in which things stand in an order, and its words."""

    intro: str
    things: str  # in the plural
    names: tuple[str, ...]
    before: str
    after: str
    next_to: str
    ask: tuple[str, str]  # from the first, from the last


SCENES = (
    Scene(
        "{n} boats came into a small harbour one evening, one at a time: {names}.",
        "boats",
        ("Auklet", "Bramble", "Cormorant", "Dunlin", "Eider", "Fulmar", "Gannet", "Heron", "Kestrel", "Lapwing"),
        "came in at some time before",
        "came in at some time after",
        "came in directly one after the other, in one order or the other",
        ("the boats in the order in which they came in", "the boats from the one that came in last to the first"),
    ),
    Scene(
        "{n} clay jars stand in one row on a shelf: {names}. Places are counted from the left.",
        "jars",
        ("Almond", "Basil", "Clove", "Dill", "Fennel", "Ginger", "Mint", "Nutmeg", "Sage", "Thyme"),
        "stands somewhere to the left of",
        "stands somewhere to the right of",
        "stand side by side",
        ("the jars from left to right", "the jars from right to left"),
    ),
    Scene(
        "{n} singers took the stage of a village hall one by one: {names}.",
        "singers",
        ("Anouk", "Bertil", "Corin", "Dagny", "Emeka", "Farida", "Goran", "Hedda", "Ilmar", "Jovana"),
        "sang at some point before",
        "sang at some point after",
        "sang in directly neighbouring places, in one order or the other",
        ("the singers in the order in which they sang", "the singers from the last to the first"),
    ),
    Scene(
        "Along a lane that leads away from a mill stand {n} cottages in single file: {names}."
        " The first place is the one nearest to the mill.",
        "cottages",
        ("Ashcroft", "Birchend", "Coldwell", "Dovecote", "Elmstead", "Foxholt", "Greengate", "Hollins", "Ivybank"),
        "is nearer to the mill than",
        "is farther from the mill than",
        "are direct neighbours",
        ("the cottages from the nearest to the mill to the farthest", "the cottages from the farthest to the nearest"),
    ),
    Scene(
        "A museum hung {n} maps one behind another in a long corridor: {names}. Visitors pass them from first to last.",
        "maps",
        ("Amberland", "Brezza", "Caldera", "Dorn", "Estuary", "Fjordic", "Galanta", "Harrow", "Isola", "Jutmark"),
        "is passed at some point before",
        "is passed at some point after",
        "hang directly beside each other",
        ("the maps in the order in which visitors pass them", "the maps from the last one passed to the first"),
    ),
)
