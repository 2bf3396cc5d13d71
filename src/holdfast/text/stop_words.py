"""Words too common to search for: English, French and Chinese."""

from __future__ import annotations

STOP_WORDS = frozenset(
    """a about after all also am an and any are as at be because been before being between both but by can could
    d did do does doing down during each few for from further had has have having he her here hers him his how i if in
    into is it its itself just ll m me more most my myself no nor not now of off on once only or other our ours out
    over own re s same she should so some such t than that the their theirs them then there these they this those
    through to too under until up ve very was we were what when where which while who whom why will with would you
    your yours yourself
    au aux avec ce ces cet cette comme dans de des du elle elles en est et il ils je la le les leur leurs lui ma mais
    me mes moi mon même ne nos notre nous on ou où par pas pour qu que quel quelle quels quelles qui sa sans se ses
    si son sont sur ta te tes toi ton tu un une vos votre vous à été être c j l n y
    那 这 我 你 他 她 它 们 是 有 在 了 和 就 都 也 很 谁 哪 几 一个 是否 因为 所以 还是 已经 应该 不能""".split()
)
