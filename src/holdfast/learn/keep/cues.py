"""Patterns that classify a sentence: a rule, a correction, a change, a guess, thanks. English and French.

They match text that was normalised by `plain`.
"""

from __future__ import annotations

import re

from holdfast.text.announcements import FROM_NOW_ON

# Word boundaries that treat a hyphen as part of the word.
BEGIN, END = r"(?<![\w-])", r"(?![\w-])"


def plain(text: str) -> str:
    """Normalises a sentence for the patterns: lower case, straight apostrophes, plain dashes, no emphasis."""
    return text.lower().replace("’", "'").replace("—", "-").replace("–", "-").replace("*", "")


def choices(text: str) -> str:
    """Joins expressions into one alternation; they are separated by line breaks or two blanks."""
    return "|".join(choice for choice in re.split(r"\s*\n\s*|\s{2,}", text) if choice)


def words(text: str) -> re.Pattern[str]:
    """Matches any of the expressions as whole words."""
    return re.compile(f"{BEGIN}(?:{choices(text)}){END}")


def beginning(before: str, text: str) -> re.Pattern[str]:
    """Matches any of the expressions at the start of a sentence, optionally after words of `before`.

    After six at most: some can be read in several ways, and more would take exponential time.
    """
    return re.compile(f"(?:(?:{choices(before)}),? ){{0,6}}(?:{choices(text)}){END}")


# A rule: it holds every time, not once.
BINDS = words(r"""
    always  never  must(?:n't| not)?  (?:has|have) to(?! (?:say|admit|agree|go|ask|wonder))  only  at (?:least|most)
    exactly(?! (?:what|it|that|the|this|how|why|as)\b|[.!,]|$)  no more than  not allowed  forbidden  cannot
    (?:is|are) (?:not )?(?:required|mandatory)  may (?:not|only|never)  should(?:n't| not| never| always| only)?
    no matter  whatever  whichever  regardless  unless  except(?:ions?)?  every  any
    toujours  jamais  doit  doivent  il faut  seulement  uniquement  exactement  au (?:moins|plus)  interdit
    obligatoire  sauf  chaque  quel que soit
""")
# An unmistakable rule.
STRONG = words(r"""
    (?<!is )(?<!are )(?<!'s )(?<!was )(?<!n't )(?<!not )always(?! (?:good|nice|great|helps?|been|gets?|fun|tricky|a)\b)
    never(?! (?:\w+ed|seen|heard|been|had|thought|knew|understood|really|quite|mind)\b)
    must(?:n't| not)?(?! (?:have|be (?:because|why|that)|admit|say|confess))
    full stop  period(?=[.!]?$)  no exceptions?  without exception  under no circumstances  by default  do not
    don't ever  no matter (?:what|which|how|who|where)  not allowed  forbidden  mandatory
    toujours  jamais  doit  doivent  il faut  sans exception  en aucun cas  interdit  obligatoire  par défaut
""")
# A rule meant to last.
LASTS = words(rf"""
    {FROM_NOW_ON}  in (?:the )?future  rule of thumb
    the (?:rule|policy|convention|standard|decision|contract|invariant|requirement) is
    (?:house|company|team|our|project) (?:rule|policy|convention|standard|style|guideline)s?
    (?:is|it's|that's|as) (?:a|the|our) (?:hard |strict |standing )?(?:rule|policy|convention|standard|requirement)
    we (?:have |'ve )?(?:decided|agreed|settled|standardi[sz]ed|chose|chosen|adopted)
    we (?:always|never|only|deliberately|don't ever)  we(?:'re| are) (?:not )?(?:switching|moving|standardi[sz]ing)
    à partir de (?:là|demain|lundi)
    la (?:règle|consigne|convention) est  (?:on a|nous avons) (?:décidé|convenu|choisi|adopté)
""")
# An order that holds every time.
LASTING_ORDER = beginning(
    "please  just  simply  then  so  and  but  also  instead  always  never  only  yes  no  right  non  oui",
    r"""
    keep  use  treat  prefer  ignore  preserve  avoid  stick  cap  limit  round  count  order  sort  drop  skip  return
    raise  reject  allow  accept  require  default  assume  respect  leave  stop  don't  do not  never  always  match
    normali[sz]e  exclude  include  deny  refuse  follow  apply  take  pick  choose  retain  restrict  enforce  validate
    compare  store  clamp  truncate  fail  escape  strip  trim  merge  split  group  rank  prioriti[sz]e  honou?r
    call me  utilise[rz]?  garde[rz]?  n'\w+[ez]  évite[rz]?  préfère[rz]?  ne \w+[ez]  arrête[rz]?  appelle[- ]moi
    """,
)
# An order not to do something, which holds until it is withdrawn.
FORBIDS = beginning(
    "please  and  but  so  also  no  yes  non",
    r"""
    don't(?! (?:worry|forget|know|think|mind|hesitate|get me wrong|you|we))  do not(?! (?:worry|forget|hesitate))  never
    stop \w+ing  avoid  no more  n'\w+[ez] (?:pas|jamais)  ne \w+[ez] (?:pas|jamais|plus)  arrête[rz]?  évite[rz]?
    """,
)
# How the team works, or what the assistant should do.
PRACTICE = beginning(
    "and  but  so  also  here  in this \\w+",
    r"""
    we (?:use|don't|do not|no longer|only|always|never|run|ship|keep|store|support|require|write|name|test|deploy)
    we (?:avoid|prefer|accept|allow|follow)  you (?:must|should|have to|need to|can't|cannot|may|are to)
    on (?:utilise|n'\w+ pas|ne \w+)  nous (?:utilisons|n'\w+ pas|ne \w+)  (?:tu|vous) (?:dois|devez)
    """,
)
# A request to remember something.
REMEMBER = beginning(
    "please  and  also  oh",
    r"""
    (?:remember|keep in mind|note|bear in mind|don't forget)(?: that|:|,)  for the record  make a note
    (?:retiens|retenez|note|notez|n'oublie pas|n'oubliez pas)(?: que|:|,)
    """,
)
# An order for a single occasion.
SINGLE_ORDER = beginning(
    "please  just  then  so  and  now  also  ok(?:ay)?  oh",
    r"""
    give  tell  show  write  list  explain  suggest  recommend  provide  create  generate  help  summari[sz]e  rewrite
    continue  translate  describe  compare  find  let me  let's  check  look  see  run  add  fix  make  try  imagine
    act  pretend  convert  calculate  answer  respond  consider  think  open  update  edit  expand  elaborate  include
    donne[rz]?  montre[rz]?  écri[st]  explique[rz]?  propose[rz]?  crée[rz]?  aide[rz]?  résume[rz]?  tradui[st]
    """,
)
# Rejection of a proposal or of part of it.
REFUSES = beginning(
    "oh  ah  hmm  well  and  but  so",
    r"""
    no  nope  nah  not(?! (?:sure|bad|really|yet|much|too|only that))  almost  careful  hold on  wait  stop  wrong
    close,? but  rather  instead  (?:\w+ ){0,2}corrections?  only half
    that's (?:not|wrong|only half|exactly (?:what we can't|the wrong))
    non  pas  plutôt  attention  attends  attendez  presque
    """,
)
# Not X but Y; X rather than Y.
CONTRASTS = words(r"""
    not [^.;,]{1,60}(?:,| -)? but  n't [^.;,]{1,60} but  instead(?: of)?  rather than  (?<=, )not  (?<=- )not  and not
    (?:is|are|was|were) wrong  au lieu de?  plutôt que  (?<=, )pas  et non  mais pas
""")
# Agreement at the start of an answer.
AGREES = beginning(
    "oh  ah  ok  okay  well  and",
    r"""
    yes  yeah  yep  yup  correct  exactly  right  agreed  perfect  precisely  absolutely  definitely  sure  fine  ok
    okay  good  great  sounds (?:good|great|right)  that works  works for me  go (?:with|for|ahead)  do (?:that|it|so)
    (?:that|this|it)'s (?:it|right|correct|perfect|the (?:one|rule|policy|plan|decision|way))  ship it  deal
    confirmed  approved  makes sense  all (?:unchanged|good|correct)  let's (?:do|go with)
    oui  d'accord  exactement  parfait  c'est (?:ça|bon)  entendu  vas-y  allez-y  ça marche  validé
    """,
)
# Agreement that settles a matter: somebody will act on it.
SETTLES = words(r"""
    ship it  go (?:with|for|ahead)  do (?:that|it)  sounds good  works for me  make it so  approved  confirmed  deal
    (?:that|this)'s (?:the|our) (?:one|rule|policy|plan|way|decision|call|final \w+)  that's it  agreed
    let's (?:do|go with) (?:that|it|this|option|the)  exactly (?:that|those|these|right)  just those
    yes,? (?:do|please do|go|use|keep|make)
    allez-y  vas-y  on (?:fait|part sur|garde|valide)  c'est validé  ça marche  d'accord
""")
# A guess, a musing or curiosity.
DOUBTS = words(r"""
    i (?:think|guess|suppose|believe|wonder|imagine|assume|feel|recall|remember|vaguely|suspect|hope|bet|expect)
    i(?:'m| am| was) (?:wondering|thinking|curious|guessing|assuming|not sure|worried|trying|looking)
    maybe  perhaps  probably  possibly  presumably  might  seem(?:s|ed)?  feels? like  felt like  looks? like  could
    would  apparently  kind of  sort of  it feels?  almost like  i'd  potentially  hopefully  likely  not sure
    wondering  curious  what if  how about  sounds like  makes me
    je (?:pense|crois|suppose|me demande)  peut-être  probablement  il me semble  on dirait  pourrait
""")
# Praise, thanks and other courtesies; the sentence comments and decides nothing.
COMMENTS = beginning(
    "oh  ah  ok  okay  yeah  yes  and  so  cool  wow",
    r"""
    thanks  thank you  cool  nice  great  awesome  interesting  good (?:to know|point|call|catch|question|idea)  gotcha
    got it  makes (?:total |perfect |a lot of )?sense  i (?:see|agree|get it|hear)  understood  will do  agreed
    that(?:'s| is) (?:an? |really |very |super |pretty )*(?:good|great|nice|interesting|fair|reasonable|smart|helpful)
    that(?:'s| is) (?:an? |really |very |super |pretty )*(?:fantastic|reassuring|common|tough|relief|valid|cool|useful)
    that(?:'s| is) (?:an? |really |very |super |pretty )*(?:amazing|excellent|solid|clever|neat|tricky|subtle)
    that (?:makes|clarifies|helps|explains|sounds|would|was|definitely)
    it(?:'s| is) (?:good|great|nice|easy|always|interesting|amazing|crazy|definitely|almost|really|a bit)
    definitely  totally  absolutely  true  fair  smart  sweet  ha  haha  lol  love it  merci  super  génial
    """,
)
# A description of how something is, not of how it should be.
DESCRIBES = beginning(
    "so  and  but  then  well",
    "it's  it is  it was  there(?:'s| is| was| were)  this is  that (?:aligns|brings)  c'était  il y a(?:vait)?",
)
# A report of past events.
PAST = words(r"""
    was  were  had  did  didn't  wasn't  used to  went  saw  noticed  found  tried  got  came  broke  flagged
    yesterday  last (?:night|week|month|quarter|year|time)  ago  already  a while back  back in  était  avait  hier
""")
# A change of an earlier rule.
CHANGES = words(rf"""
    {FROM_NOW_ON}  amend(?:s|ed|ing|ments?)?  no longer  any ?more  supersed(?:e[sd]?|ing)  overrid(?:es?|ing)
    replac(?:es|ing) the (?:old|previous|earlier|former|original)  revis(?:ed?|es|ing|ion)  used to be
    instead of (?:the )?(?:old|previous|earlier|current)  changed (?:our|my) minds?  the old (?:rule|policy|way|one)
    we(?:'ve| have)? (?:changed|switched|moved|revised|updated|reversed|dropped|reconsidered)
    (?:change|update|revision|correction|tweak|exception|amendment)s? (?:to|of) (?:the|our|that|what)
    as of (?:this|next|(?:mon|tues|wednes|thurs|fri)day)  starting (?:tomorrow|this|next|monday)
    scrap (?:the|that|what)  forget what i said  undo (?:the|that|our)
    roll(?:ing)? back (?:the|that|our) (?:rule|policy|decision)
    finalement  on a changé  ne [^.]{{1,30}} plus  n'[^.]{{1,30}} plus
    changement de  remplace  annule  (?:is|are|est|sont) (?:now|maintenant)  correction(?=:)  change of plans?
""")
# A reference to an earlier ruling.
EARLIER = words(r"""
    we (?:'ve |had |have |'d )?(?:settled|decided|agreed|set|chose|made|adopted|shipped|wrote|signed off)  settled on
    (?:the|our|that) (?:old|previous|earlier|existing|original|current) \w+  a while back
    last (?:month|quarter|year|sprint)  policy  rule  decision  convention  standard  agreement  contract
    on avait (?:dit|décidé)  nous avions (?:dit|décidé)  la règle  la décision
""")
# A statement that something stays as it was while something else changes.
UNCHANGED = words(r"""
    unchanged  nothing else (?:moves|changes)  (?:doesn't|don't|does not|do not) (?:move|change)(?! (?:it|that|the))
    (?:the )?(?:rest|everything else|others?) (?:stays?|stands?|remains?|is|are|holds?)  as before
    still (?:stands?|holds?|applies|apply)  stays? (?:as is|the same|as it is|in place)  remains? (?:in place|the same)
    inchangée?s?  ne changent? pas  le reste (?:ne|reste|est)  comme avant  toujours valables?
""")
