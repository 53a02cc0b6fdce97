"""Tables of words by part of speech, as text; ``lexicon`` explains the letters."""

from __future__ import annotations

__all__ = ["CLOSED", "IRREGULAR_PAST", "NOUNS", "SHARED", "VERBS", "VERBS_THAT_DOUBLE"]

CLOSED = {
    "D": "the a an this these those my your his its our their her every each any some no all both "
    "another either neither whichever whatever",
    "O": "i me you he him she it we us they them himself herself itself yourself myself themselves "
    "who whom which what something anything nothing everything someone anyone everyone you'll "
    "you're you've it's there's that's here's i'm i'll we'll they're what's mine yours",
    "C": "and or but nor until till once when whenever while if because although unless whereas "
    "where wherever whether so",
    "M": "will would can could should shall may might must can't won't shouldn't couldn't wouldn't",
    "Z": "is are was were am has had does goes isn't aren't wasn't weren't doesn't",
    "V": "be have do don't let let's get go come",
    "G": "being having doing getting going coming",
    "E": "been done gotten gone made taken seen kept led stood held got lit found",
    "P": "of with from into onto at by for to toward towards via without during upon beneath "
    "beside besides between among amongst against except than thru trough alongside within "
    "underneath amid atop per acrros",
    "R": "then there here now again just also very too soon finally almost forward forwards "
    "backward backwards ahead away downstairs upstairs halfway midway indoors outdoors "
    "inwards outwards upwards downwards onward onwards sideways clockwise anticlockwise "
    "counterclockwise instead nearby apart together even quite rather really maybe perhaps "
    "still yet thereafter afterwards afterward please diagonally ever never always already "
    "lengthwise thereby northward southward eastward westward however therefore somewhat "
    "partway",
    "J": "first third fourth fifth sixth seventh eighth ninth tenth next last other same few many "
    "several more most less own only such main near-by immediate slight sharp hard double "
    "triple single big huge giant little tiny tall short narrow wide thick thin old new "
    "modern antique ornate fancy dark bright dim clear visible nearest closest farthest "
    "furthest larger bigger smaller higher lower upper outer inner leftmost rightmost "
    "middlemost leftward rightward hollow sunken spiral straightforward curvy opposite-facing "
    "adjacent perpendicular hot cold wet dry french formal grand quick stainless "
    "wheelchair-accessible accessible oddly-shaped multicolored multicoloured colourful "
    "colorful unfinished empty full rear lone whole entire final previous able numerous "
    "oriental massive enormous nice beautiful wrong correct certain different similar stuffed "
    "en en-suite ensuite gold silver golden cream tan maroon burgundy bronze brass brick "
    "concrete young tight stationary diagonal current exterior interior chartreuse baptismal "
    "conversational rectangle-shaped u-shaped h-shaped horizontal vertical angled "
    "kitty-corner",
    "U": "twenty thirty forty forty-five fifty sixty seventy eighty ninety hundred thousand dozen "
    "fifteen sixteen seventeen eighteen nineteen",
    "K": "not n't",
}
"""Words with one part, and words that are hardly ever anything else."""

SHARED = """
to P0 T0; about P0 R0.2; left R0 N0 J0.3 E2.5; right R0 N0 J0.3; straight R0 J0.4;
past P0 N3 R0.6; passed P0.4 E0.6; through P0 R0.6; though P0.6 C0; across P0 R0.6;
along P0 R0.6; around P0.2 R0.2; round J0 P1.2 R1.2; down P0 R0.3; up P0 R0.3; in P0 R0.8;
on P0 R1; off P0 R0.3 J1.5; out P0.2 R0.2; over P0 R0.4; under P0 R1; above P0 R0.4;
below P0 R0.4; behind P0 R0.5; beyond P0 R0.5; inside P0 R0 N1.2 J1.5; outside P0 R0 N1.2 J1.5;
outdoor J0; indoor J0; near P0 J2 R1.5; opposite P0.2 J0.2 N1; before P0 C0.2 R1;
after P0 C0.2 R1; since P0.5 C0; as P0.2 C0.2 R0.6; like P0 V2; prior P0.2 J0;
back R0 N0.3 J0.5 V2.5; that O0 D0.3 C0.5; how R0 C0.3; one U0 O0.4 N0.6; second J0 N1.5;
half N0.2 J0.3 D0.5; far R0.2 J0; close V0.3 J0.2 R0.2; open J0 V0.4 N2; clean J0 V2;
front N0 J0.3; side N0 J2; top N0 J1; bottom N0 J1; middle N0 J0.5; center N0 J0.6 V3;
centre N0 J0.6 V3; mid J0 N1; square J0 N0.3; circle N0 J1 V1.2; light N0 J0.3 V3; lights N0 Z4;
lit J0 E0.5; left-hand J0; right-hand J0; glass N0; wood N0 J1; hardwood N0 J1; metal N0 J0.6;
steel N0 J1; marble N0 J1; leather N0 J0.8; plastic N0.3 J0; stone N0 J0.8; wax N0 J1; paper N0;
corner N0 J2; bar N0; cat N0; city N0; desk N0; gas N0; long J0 R1.5; low J0 R2; high J0 R1.2;
all D0 R1.5 O0.8; both D0 O0.6; each D0 O0.6; another D0 O1; these D0 O0.6; those D0 O0.6;
this D0 O0.5; some D0 O1; what O0 D1; which O0 D1.2; no D0 R1.5; so R0.2 C0; there R0 O0.6;
enough R0 J0.3; bit N0 E3; set N0 V0.4 E1; sets N0 Z2; lead V0 N1; leads Z0 N3; leaves N0 Z0;
open-plan J0; living N0 G2; dining N0 G3; dinning N0 G3; sitting N0.4 G0; waiting N0.8 G0;
changing N0.8 G0; fitting N0 G1.5; dressing N0 G1.5; laundry N0; sliding J0 G0.6;
rocking J0 G0.8; hanging J0.3 G0; swinging J0.3 G0; revolving J0 G0.8; opening N0 G0.5;
reclining J0 G0.6; following G0 J0.5 P1; closed J0 E0.4; crossing N0.4 G0; landing N0 G1.5;
painting N0 G2; building N0 G2; ceiling N0; railing N0; seating N0 G2; flooring N0;
beginning N0 G0.6; heading G0 N2; clearing N0 G1; exercise N0 V1.5; work N0.2 V0.2;
study N0 V1.5; place N0 V0.6; drum N0; rose N0 E2 J1; mirrored J0; potted J0; hung E0;
o'clock R0 N0.3; north N0 R0 J0.6; south N0 R0 J0.6; east N0 R0 J0.6; west N0 R0 J0.6;
alter N0 V1; well R0 N1; kind N0 J1; hard J0 R0.4; direct J0 V0.6; parallel J0 R1;
present J0 N1 V1; then R0; ones N0; feet N0; men N0; women N0; people N0; stairs N0; etc R0;
ok J0 R0.5; sit V0; u N0 O1; i O0 N2
"""
"""Words with several parts, a cost each. They replace what the other tables say."""

VERBS = """
walk turn stop wait exit enter leave continue head proceed pass cross climb descend ascend follow
face approach reach veer step stand move travel advance return start begin end keep take make bear
bend circle curve stay halt pause look see find locate notice spot hit touch use want need remain
arrive ensure hold open shut close push pull swing slide slip duck pivot rotate spin twist reverse
retreat backtrack hug skirt squeeze stroll wander roam march jog run rush hurry race navigate
progress resume retrace orient position align steer swerve angle aim point route trek meander
amble saunter ignore avoid forget remember repeat switch change sit lie rest bring carry pick put
grab say tell read talk know think seem appear become show display connect divide separate split
join meet overlook surround cover adjoin border branch fork loop wrap wind extend stretch gain
finish complete hang lean drop fall rise dip give try help ask watch check guide mean allow block
peer glance bypass clear encounter exist contain include mark label decorate carpet tile frame
mount stain mind drift freeze linger hover stray detour roll work play live sleep eat cook wash
transition merge emerge pop cut shift tread pace inch creep sneak stride venture dash zigzag
"""

IRREGULAR_PAST = """
leave:left stand:stood take:took make:made keep:kept find:found hold:held see:saw go:went
come:came lie:lay sit:sat meet:met bring:brought run:ran begin:began put:put read:read say:said
tell:told hang:hung fall:fell rise:rose give:gave wind:wound lead:led swing:swung know:knew
think:thought split:split
"""

VERBS_THAT_DOUBLE = """
begin cut dip drop get hit hug jog pop put run set shut sit skid slip spin split spot step stop
swim wrap
"""
"""Their last letter: "stopping"."""

NOUNS = """
door doorway doorframe doorstep doormat hall hallway corridor passage passageway walkway path
pathway aisle lane way route room bedroom bathroom restroom washroom toilet kitchen pantry closet
office study den library lounge foyer lobby entry entryway entrance entranceway exit vestibule
mudroom porch patio deck balcony terrace veranda courtyard yard backyard garden pool spa sauna gym
garage basement cellar attic loft house home building hotel church class classroom theater theatre
club area space spot place zone section portion part side edge end top bottom base foot head
middle center centre front back corner nook alcove intersection junction crossroads fork bend turn
opening archway arch gate gateway threshold frame wall floor ceiling roof rooftop column pillar
post beam ledge sill step stair stairs staircase stairway stairwell landing flight ramp elevator
escalator lift level storey story banister bannister railing rail handrail guardrail fence rope
stanchion barrier partition divider window windows curtain blind shade glass mirror picture
painting portrait photo photograph print poster artwork art mural tapestry sculpture statue bust
figure fountain pond pot planter vase plant flower tree bush palm cactus grass sidewalk road
street stone rock tile carpet rug mat runner table chair armchair recliner rocker sofa couch
loveseat ottoman stool bench pew seat seats bed crib cot headboard pillow cushion blanket quilt
nightstand dresser desk counter countertop island bar cabinet cupboard shelf bookshelf bookcase
shelves case drawer drawers armoire wardrobe locker chest trunk box basket hamper bin can fridge
refrigerator freezer stove oven range microwave dishwasher sink faucet tub bathtub shower bath
jacuzzi urinal stall vanity washer dryer machine television tv screen monitor computer laptop
phone clock lamp chandelier fan fireplace mantle mantel hearth fire radiator heater vent
conditioner thermostat switch outlet sign light piano guitar drum instrument organ easel pulpit
altar font crucifix cross treadmill bike bicycle unicycle sailboat boat car game foosball ping
pong pingpong billiards wine bottle champagne cup plate bowl book magazine globe map suitcase
luggage bag shoe sock clothes coat towel umbrella stick pelt skin zebra cheetah bear deer moose
bird dog cat horse man woman boy girl person people child children kid guest women's men's degree
degrees inch meter metre mile second minute time moment direction position distance length row
line pair couple group bunch number set series bit lot half third quarter rest thing item object
design pattern shape style color colour letter word quote name view perspective background wood
metal brick grain tape danger peligro warning security media console entertainment furniture
equipment appliance decoration fixture structure unit kitchenette breakfast dinner lunch coffee
tea water powder massage fitness workout projection movie projector christmas snowman stocking
stockings flag star heart circle rectangle triangle square oval dogleg hillside mountain ocean sea
beach playroom workroom laundry storage bedside backdoor doorbell peephole hardwood laminate
linoleum drapes mantelpiece fern orchid swing hammock lounger pallet net platform stage podium
stand rack hook hanger knob handle hinge latch left right love family master self trellis lattice
plank board whiteboard blackboard vending aquarium fish tank scale suite hand night diving
conditioning piece sofa's bed's door's wheelchair
"""
"""Buildings and what is in them, beyond the catalogue of ``lexicon``."""
