/**
 * Names nobody may take. The first group are first segments of addresses, of the site as it is and
 * of pages such a site grows: a person of that name would hide the page or be hidden by it. The
 * second are the mailbox names of RFC 2142, and the third look as if the site itself were speaking.
 */
const RESERVED: ReadonlySet<string> = new Set(
  `
  about account accounts admin analytics api articles assets auth billing by_path chat code_of_conduct collections
  comments connect contact dashboard demo docs download drafts edit embed explore favicon feed feeds files follow
  followers following follows health healthz health_checks help home hot images import instance internal invite
  join latest listings login logout manifest me media metrics mod moderation moderator moderators new newest
  notification notifications oauth onboarding openapi organization organizations password pod podcast podcasts
  popular privacy profile public publish readinglist reading_list readyz register reports reset robots rss rules
  search series session sessions settings signin signout signup sign_in sign_out sign_up site sitemap stats static
  status stories subscribe tag tags terms top unsubscribe upload uploads user users videos webhooks well_known
  write

  abuse ftp hostmaster info marketing news noc postmaster sales security support usenet uucp webmaster www

  administrator anonymous everyone everybody inkstone nobody null official root staff superuser sysadmin system
  team undefined
  `
    .trim()
    .split(/\s+/),
);

export function isReserved(username: string): boolean {
  return RESERVED.has(username);
}
