/** Words that say little beside others, by language. */
const LISTS = {
  english: `a about after all also am an and any are as at be because been before being but by can could did do does doing
    done for from get had has have having he her here him his how i if in into is isn it its just like me more my no not of
    off on one or our out over own please same she should so some such t than that the their them then there these they
    this those to too up us use used using was we were what when where which while who whose why will with would you your
    don dont doesnt isnt im ive s shouldnt`,
  german: `der die das den dem des ein eine einen einem einer und oder ist sind war wie was wo wer warum ich du er sie es
    wir ihr man mein dein zu zum zur im in am an auf aus bei mit nach von vor fur uber nicht auch als wenn kann`,
  french: `le la les l un une des du de d et ou est sont ce cette ces qui que quoi quel quelle comment pourquoi je tu il
    elle on nous vous ils mon ma mes ton dans en sur pour par avec sans pas au aux puis a`,
  spanish: `el los las lo una unos unas y o es son como que cual por para con sin del al en mi tu su se no`,
  portuguese: `o os as um uma e sao como por para com sem do da dos das no na nos nas em meu minha seu sua nao que qual
    quais`,
};

const STOP_WORDS: ReadonlySet<string> = new Set(Object.values(LISTS).flatMap((words) => words.split(/\s+/)));

/** @param token a folded word */
export const isStopWord = (token: string): boolean => STOP_WORDS.has(token);
