"""How each style orders a move, a turn or a stop, and how it opens, joins and closes.

Choices are parted by ``|``. In orders ``{side}`` and ``{manner}`` are filled in; a move is followed
by the words for where. ``{vp}`` is an order in its plain form ("turn left").
"""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["CLOSERS", "JOINTS", "MOODS", "OPENERS", "ORDERS"]

ORDERS: Mapping[str, Mapping[str, str]] = {
    "friendly": {
        "turn": "hang a {side}|take a {side}|make a {side}|turn to your {side}|swing {side}"
        "|swing to your {side}",
        "turn.slight": "swing slightly {side}|take a slight {side}|veer a bit to your {side}",
        "turn.sharp": "hang a sharp {side}|take a sharp {side}|swing sharply to your {side}",
        "turn.immediate": "hang an immediate {side}|take an immediate {side}",
        "turn.another": "hang another {side}|take another {side}",
        "turning": "grab the {manner} {side}|hit the {manner} {side}|take the {manner} {side}",
        "around": "spin around|turn yourself around|turn all the way around",
        "stop": "stop|come to a stop|stop and hang out|stop and park yourself",
        "stop.bare": "stop right there|stop|come to a stop",
        "wait": "wait|hang out and wait|hang tight and wait|stay put and wait",
        "straight": "head straight|head straight on|cruise straight ahead|stroll straight ahead",
        "straight.again": "keep on going straight|keep cruising straight ahead",
        "into": "pop into|head on into|step into|stroll into|slip into",
        "out": "head out of|slip out of|stroll out of|scoot out of|pop out of",
        "out.bare": "head out|pop out|scoot on out",
        "past": "stroll past|cruise past|head past|wander past|scoot past",
        "through": "head through|cut through|stroll through|pop through|scoot through",
        "across": "cut across|head across|stroll across|scoot across",
        "along": "head along|stroll along|cruise along|mosey along",
        "up": "head up|hop up|trot up|make your way up",
        "down": "head down|hop down|trot down|make your way down",
        "to": "head over to|make your way over to|stroll over to|scoot over to",
        "toward": "head towards|stroll towards|make your way towards|mosey towards",
        "go": "head|stroll|scoot|mosey",
        "go.bare": "keep going|keep on going|keep it up",
        "again": "keep going|keep on strolling|keep cruising",
    },
    "novice": {
        "turn": "turn {side}|turn to the {side}|turn to your {side}|turn your body to the {side}"
        "|make a turn to the {side}",
        "turn.slight": "turn slightly to the {side}|turn a bit to the {side}",
        "turn.sharp": "make a sharp turn to the {side}|turn sharply to the {side}",
        "turn.immediate": "turn {side} immediately|turn to the {side} immediately",
        "turn.another": "take another {side}|make another {side} turn",
        "turning": "take the {manner} {side}|use the {manner} {side} turn",
        "around": "turn all the way around|turn your body around|turn around",
        "stop": "stop walking|stop|stop moving|stand still",
        "stop.bare": "stop|stop walking|stop moving|stand still",
        "wait": "wait|stay|stop and wait",
        "straight": "walk straight|go straight ahead|walk straight ahead|walk forward",
        "straight.again": "keep walking straight|keep going straight ahead",
        "into": "go into|walk into|go inside|get into",
        "out": "go out of|walk out of|get out of",
        "out.bare": "go out|walk out",
        "past": "go past|walk past|keep walking past",
        "through": "go through|walk through",
        "across": "walk across|go across",
        "along": "walk along|go along|keep walking along",
        "up": "go up|walk up",
        "down": "go down|walk down",
        "to": "walk to|go to|walk over to",
        "toward": "walk towards|go towards|move towards",
        "go": "go|walk|move",
        "go.bare": "keep walking|keep going",
        "again": "keep walking|keep going",
    },
    "professional": {
        "turn": "rotate toward the {side}|execute a turn to the {side}"
        "|execute a {side} turn|perform a {side} turn|rotate to the {side}"
        "|adjust your heading to the {side}",
        "turn.slight": "execute a slight {side} turn|adjust your heading slightly to the {side}"
        "|rotate slightly to the {side}",
        "turn.sharp": "execute a sharp {side} turn|rotate sharply to the {side}",
        "turn.immediate": "execute an immediate {side} turn|rotate immediately to the {side}",
        "turn.another": "execute another {side} turn|perform another {side} turn",
        "turning": "execute the {manner} {side} turn|take the {manner} available {side} turn",
        "around": "rotate 180 degrees|execute a 180-degree turn|perform a 180-degree rotation",
        "stop": "halt|come to a complete stop|terminate movement|hold position|cease movement",
        "stop.bare": "halt|terminate movement|come to a complete stop|cease movement",
        "wait": "hold position|remain stationary|stand by|halt and hold position",
        "straight": "proceed straight ahead|advance straight ahead|maintain a straight course"
        "|move directly ahead|navigate straight ahead",
        "straight.again": "continue straight ahead|maintain a straight course",
        "into": "enter|proceed into|transition into|advance into",
        "out": "exit|depart from|vacate|proceed out of",
        "out.bare": "exit|depart",
        "past": "proceed past|advance past|move past|navigate past",
        "through": "traverse|proceed through|pass through|navigate through",
        "across": "traverse|cross|proceed across",
        "along": "proceed along|traverse|follow|advance along",
        "up": "ascend",
        "down": "descend",
        "to": "proceed to|navigate to|advance to",
        "toward": "proceed toward|advance toward|navigate toward|orient toward and approach",
        "go": "proceed|advance|navigate",
        "go.bare": "continue on course|maintain course|proceed on course",
        "again": "continue|maintain course",
    },
    "formal": {
        "turn": "turn to the {side}|make a turn to the {side}|direct yourself to the {side}"
        "|turn toward your {side}-hand side|reorient yourself to the {side}",
        "turn.slight": "turn slightly to the {side}|incline slightly to the {side}",
        "turn.sharp": "make a sharp turn to the {side}|turn sharply to the {side}",
        "turn.immediate": "turn immediately to the {side}|make an immediate turn to the {side}",
        "turn.another": "make another turn to the {side}",
        "turning": "take the {manner} turning to the {side}|take the {manner} turn to the {side}",
        "around": "turn yourself fully around|turn fully around|reorient yourself 180 degrees",
        "stop": "come to a halt|bring yourself to a halt|cease all movement|come to rest",
        "stop.bare": "come to a halt|bring yourself to a halt|cease all movement",
        "wait": "remain stationary|wait patiently|remain",
        "straight": "proceed straight ahead|advance directly ahead|make your way straight ahead",
        "straight.again": "continue directly ahead|continue straight ahead",
        "into": "enter|proceed into|make your way into|step into",
        "out": "depart from|exit|make your way out of|vacate",
        "out.bare": "depart|exit",
        "past": "proceed past|continue past|advance past|make your way past",
        "through": "pass through|proceed through|make your way through|traverse",
        "across": "traverse|proceed across|make your way across",
        "along": "proceed along|make your way along|advance along|traverse",
        "up": "ascend|make your way up|mount",
        "down": "descend|make your way down",
        "to": "proceed to|make your way to|advance to",
        "toward": "proceed toward|advance in the direction of|make your way toward",
        "go": "proceed|make your way|advance",
        "go.bare": "proceed on your way|continue on your way",
        "again": "continue|proceed",
    },
}
"""Style → kind of order → ways to give it; ``again`` goes before a preposition ("continue
past")."""

MOODS: Mapping[str, str] = {
    "friendly": "{vp}|{vp}|just {vp}|go ahead and {vp}|you'll want to {vp}|you're gonna {vp}"
    "|you'll wanna {vp}|simply {vp}|you can just {vp}",
    "novice": "you {vp}|{vp}|you need to {vp}|you have to {vp}|I think you {vp}|I guess you {vp}"
    "|you should {vp}|try to {vp}|you just {vp}|I am pretty sure you {vp}",
    "professional": "{vp}|{vp}|{vp}|{vp}|you are to {vp}|ensure that you {vp}",
    "formal": "kindly {vp}|please {vp}|you are requested to {vp}|be so kind as to {vp}"
    "|you are advised to {vp}|I would ask that you {vp}|you should {vp}|you are invited to {vp}"
    "|please be so good as to {vp}",
}
"""How an order is addressed at the beginning of a sentence."""

JOINTS: Mapping[str, str] = {
    "friendly": ", then {vp}| and {vp}|. Then {mood}|. After that, {mood}|. From there, {mood}"
    "|. Next up, {mood}|. Nice! Now {mood}|. Okay, now {mood}|. Great, so now {mood}"
    "|, and then you'll {vp}|. Alright, {mood}|. Once that's done, {mood}| and then {vp}",
    "novice": ". Then {mood}|. After that, {mood}|. Now {mood}|. Next, {mood}|. Okay, now {mood}"
    "|. So then {mood}|. Um, then {mood}|. And then {mood}|. When that is done, {mood}",
    "professional": ", then {vp}|; then {vp}|. Subsequently, {vp}|. Next, {vp}"
    "|. From that point, {vp}|. Upon completion, {vp}|. Then {vp}| and {vp}|. At this point, {vp}"
    "|, and subsequently {vp}|. Once complete, {vp}",
    "formal": ". Thereafter, {mood}|, after which you should {vp}|. Following this, {mood}"
    "|; subsequently, {mood}|. Having done so, {mood}|, whereupon you are to {vp}"
    "|. Afterwards, {mood}|; thereafter, {mood}|. In due course, {mood}|. You should then {vp}"
    "|, and then {vp}",
}
"""How an order follows another. ``{mood}`` is the order as it is addressed."""

OPENERS: Mapping[str, str] = {
    "friendly": "Hey there! |Hi friend! |Okay, here we go! |Alright, |Hey, |Hello! So, |Okay, so |"
    "|Alrighty, let's do this! ",
    "novice": "Okay, so |Um, so |Hi, I will try to explain. |So, |I am not very good at this. "
    "|Okay. ||I think it is like this. ",
    "professional": "Route guidance: |Navigation instructions: |Proceed as follows: |||"
    "|Directions to the destination: |Commence the route as follows: ",
    "formal": "Greetings. |Good day. |Dear visitor, |Dear guest, |If you would, ||"
    "|With your kind permission, here are the directions. ",
}
"""Before everything; may be nothing."""

CLOSERS: Mapping[str, str] = {
    "friendly": " You've got this!| Nice work!| And that's it, easy peasy!| You made it, awesome!|"
    "| Have fun!| See, that was easy!",
    "novice": " I think that is it.| I hope that makes sense.| Then you are done.| That is all.|"
    "| I hope this helps, sorry if not.| Okay, done.",
    "professional": " This concludes the route.| Route complete.| Navigation is then complete.||"
    "| The route is then complete.",
    "formal": " Thank you kindly.| Your cooperation is greatly appreciated.| With kind regards.|"
    "| I am most grateful for your attention.| Thank you for your patience.",
}
"""After everything; may be nothing."""
