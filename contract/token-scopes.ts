/** What a personal access token may be for. A token has one or more of them; none contains another. */
export const tokenScopes = ["read", "import", "create"] as const;
export type TokenScope = (typeof tokenScopes)[number];

/** What each lets a script do, in a sentence. */
export const tokenScopeTexts: Readonly<Record<TokenScope, string>> = {
  read: "See your matches, highlights and clips.",
  import: "Import matches: by address, file or match list, and try failed imports again.",
  create: "Create and rename clips, make them public or unlisted, render formats, join clips, mark moments.",
};

/** Days after which a token ends by itself; null: when it is revoked. */
export const tokenLifetimes = [30, 90, 365, null] as const;

/** A player's tokens at once. */
export const tokensPerUser = 20;
