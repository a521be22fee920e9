/** The languages whose inflections search knows, with their codes (BCP 47). */
const CODES = {
  arabic: "ar",
  armenian: "hy",
  danish: "da",
  dutch: "nl",
  english: "en",
  finnish: "fi",
  french: "fr",
  german: "de",
  greek: "el",
  hungarian: "hu",
  indonesian: "id",
  irish: "ga",
  italian: "it",
  lithuanian: "lt",
  nepali: "ne",
  norwegian: "no",
  portuguese: "pt",
  romanian: "ro",
  russian: "ru",
  serbian: "sr",
  spanish: "es",
  swedish: "sv",
  tamil: "ta",
  turkish: "tr",
} as const;

export type Language = keyof typeof CODES;

/** The language whose inflections search looks through; "simple" looks for words as they are written. */
export type SearchLanguage = Language | "simple";

export const LANGUAGES = Object.keys(CODES) as Language[];

export const codeOf = (language: SearchLanguage): string | undefined =>
  language === "simple" ? undefined : CODES[language];

const BY_CODE: ReadonlyMap<string, Language> = new Map(
  LANGUAGES.map((language) => [CODES[language], language]),
);

export const languageOfCode = (code: string): Language | undefined => BY_CODE.get(code);

/** An article's language (BCP 47), or the site's where it isn't sure or search doesn't know it. */
export const searchLanguageOf = (code: string | null | undefined, site: SearchLanguage): SearchLanguage =>
  site === "simple" ? site : (languageOfCode(code ?? "") ?? site);
