import { isIPv4 } from "node:net";
import { z } from "zod";

/** The one place that reads the environment. Every variable is in the README's table. */

const MiB = 1024 ** 2;
const flag = z.enum(["true", "false", "1", "0", ""]).transform((text) => text === "true" || text === "1");
const list = z.string().transform((text) =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean),
);
const steamIds = list
  .pipe(
    z
      .array(z.string().regex(/^\d{17}$/, "must be SteamID64s, 17 digits each, with commas between"))
      .min(1, "names nobody"),
  )
  .default([]);
const optionalText = z
  .string()
  .trim()
  .transform((text) => text || undefined)
  .optional();
const wholeNumber = (min: number, max: number) => z.coerce.number().int().min(min).max(max);
const httpAddress = z
  .string()
  .refine((text) => /^https?:\/\//.test(text) && URL.canParse(text), "must be an http(s) address");
const webAddress = httpAddress.transform((text) => text.replace(/\/+$/, ""));

/** Path of the built-in identity provider. */
const localProviderFolder = "/local-steam/";

/** Whether a listening address belongs to this machine only: the name localhost or a loopback address, in full. */
const isLoopback = (host: string) =>
  /^localhost$/i.test(host) || /^\[?::1\]?$/.test(host) || (isIPv4(host) && host.startsWith("127."));

export const environmentSchema = z.object({
  NODE_ENV: z.enum(["production", "development", "test"]).default("production"),
  PORT: wholeNumber(0, 65535).default(3000),
  /** Default: loopback until PUBLIC_URL is set, then every interface. */
  HOST: optionalText,
  /** The address at which browsers reach the product. Unset: local use, built-in identity provider. */
  PUBLIC_URL: z.preprocess((value) => value || undefined, webAddress.optional()),
  DATA_DIR: z.string().min(1).default("./data"),
  DATABASE_URL: z.preprocess(
    (value) => value || undefined,
    z
      .string()
      .regex(/^postgres(ql)?:\/\//, "must begin with postgres:// or postgresql://")
      .refine(
        (text) => URL.canParse(text),
        "cannot be read: write special characters of its password as %23 and the like, or set DATABASE_PASSWORD instead",
      )
      .optional(),
  ),
  /** Replaces the one in DATABASE_URL, without escaping. */
  DATABASE_PASSWORD: z.preprocess((value) => value || undefined, z.string().optional()),
  ROLE: z.enum(["all", "web", "worker"]).default("all"),
  S3_ENDPOINT: optionalText,
  S3_BUCKET: optionalText,
  S3_REGION: z.string().default("auto"),
  S3_ACCESS_KEY_ID: optionalText,
  S3_SECRET_ACCESS_KEY: optionalText,
  STEAM_API_KEY: optionalText,
  STEAM_API_URL: webAddress.default("https://api.steampowered.com"),
  /** OpenID 2.0 endpoint. Default: Steam's with PUBLIC_URL, the built-in local one without. */
  STEAM_OPENID_URL: z.preprocess(
    (value) => value || undefined,
    httpAddress
      .refine((text) => !text.includes(localProviderFolder), "is a built-in identity provider, which believes anyone")
      .optional(),
  ),
  /** Who may sign in, by SteamID64. Unset: everybody. */
  SIGN_IN_ALLOW: steamIds,
  /** Whether clips and pages are public, or only for signed-in users. */
  VIEWING: z.enum(["public", "members"]).default("public"),
  HISTORY_PROVIDER: z.enum(["leetify", "faceit", "none"]).default("leetify"),
  LEETIFY_API_KEY: optionalText,
  LEETIFY_API_URL: webAddress.default("https://api-public.cs-prod.leetify.com"),
  FACEIT_API_KEY: optionalText,
  FACEIT_API_URL: webAddress.default("https://open.faceit.com"),
  /** For automatic clips: looks at players' histories per minute, in all processes together. */
  HISTORY_LOOKS_PER_MINUTE: wholeNumber(1, 10_000).default(60),
  IMPORT_ALLOW_HOSTS: list.default([]),
  WEBHOOK_ALLOW_HOSTS: list.default([]),
  MAX_DEMO_BYTES: wholeNumber(MiB, 64 * 1024 * MiB).default(2048 * MiB),
  MAX_DOWNLOAD_BYTES: wholeNumber(MiB, 64 * 1024 * MiB).default(1024 * MiB),
  IMPORTS_PER_DAY: wholeNumber(1, 100_000).default(50),
  REQUESTS_PER_MINUTE: wholeNumber(10, 1_000_000).default(600),
  /** For each access token. */
  TOKEN_REQUESTS_PER_MINUTE: wholeNumber(10, 1_000_000).default(300),
  DEMO_FILE_DAYS: wholeNumber(0, 3650).default(1),
  DEMO_DATA_DAYS: wholeNumber(1, 36500).default(730),
  CLIP_DAYS: wholeNumber(1, 36500).default(730),
  /** Folder for a daily backup. Unset: none. */
  BACKUP_DIR: optionalText,
  BACKUPS_KEPT: wholeNumber(1, 3650).default(14),
  /** Free disk space below which uploads, imports and renders wait. Default: 512 MiB, or a tenth of a small disk. */
  DISK_RESERVE_BYTES: z.preprocess((value) => value || undefined, wholeNumber(0, 1024 ** 5).optional()),
  /** Maximum size of a user's own files. Unset or 0: no limit. */
  USER_DISK_BYTES: z.preprocess((value) => value || undefined, wholeNumber(0, 1024 ** 5).optional()),
  CLIP_HEIGHT: z.coerce
    .number()
    .pipe(z.union([z.literal(720), z.literal(1080)]))
    .default(720),
  FFMPEG_PATH: optionalText,
  RENDER_WORKERS: wholeNumber(0, 64).default(1),
  IMPORT_WORKERS: wholeNumber(0, 64).default(1),
  IMPORT_DOWNLOADS: wholeNumber(1, 64).default(8),
  /** Namespaces for parsers and renderers: if possible; always, or no start; never. */
  CHILD_ISOLATION: z.enum(["auto", "require", "off"]).default("auto"),
  /** Trust X-Forwarded-For of a reverse proxy (for rate limits and view counts). */
  TRUST_PROXY: flag.default(false),
  /** With an https PUBLIC_URL: browsers also use https for all subdomains of its host. */
  HSTS_INCLUDE_SUBDOMAINS: flag.default(false),
  LOG_LEVEL: z.enum(["silent", "error", "warn", "info", "debug"]).default("info"),
  /** Steam IDs of accounts that may open /operator. */
  OPERATOR_STEAM_IDS: list
    .pipe(z.array(z.string().regex(/^\d{17}$/, "must be SteamIDs of 17 digits, separated by commas")))
    .default([]),
  OPERATOR_NAME: z.string().default("The operator of this Clutchcast server"),
  /** Lines separated by "|". */
  OPERATOR_ADDRESS: z.string().default("Address not configured|Germany"),
  OPERATOR_EMAIL: z.string().default("operator@example.invalid"),
  OPERATOR_JURISDICTION: z.string().default("the operator's place of residence"),
  HOSTING_PROVIDER: z.string().default("a hosting provider in Germany"),
});

/** Never printed. */
const secret = new Set<string>(["DATABASE_URL", "DATABASE_PASSWORD", "S3_SECRET_ACCESS_KEY"]);

export type Environment = z.infer<typeof environmentSchema>;

export interface Config extends Environment {
  host: string;
  /** Origin and base path for links, without a trailing slash. Local use: http://localhost:PORT. */
  publicUrl: string;
  /** True when sign-in uses the built-in identity provider. */
  localIdentity: boolean;
  steamOpenIdUrl: string;
  secureCookies: boolean;
}

export class ConfigError extends Error {}

/**
 * Reads and checks the environment.
 * @throws ConfigError with one sentence for each variable, e.g. "PORT: expected a number from 0 to 65535, got “abc”."
 */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const known = Object.fromEntries(
    Object.keys(environmentSchema.shape)
      .map((name) => [name, environment[name]] as const)
      .filter(([, value]) => value !== undefined && value !== ""),
  );
  const parsed = environmentSchema.safeParse(known);
  if (!parsed.success) {
    const sentences = parsed.error.issues.map((issue) => {
      const name = String(issue.path[0]);
      return `${name}: ${issue.message}${secret.has(name) ? "" : ` (it is “${known[name] ?? ""}”)`}.`;
    });
    throw new ConfigError(sentences.join("\n"));
  }
  const values = parsed.data;
  if (values.ROLE !== "all" && !values.DATABASE_URL) {
    throw new ConfigError(`ROLE: “${values.ROLE}” needs DATABASE_URL, the embedded database serves one process only.`);
  }
  if (values.TRUST_PROXY && !values.PUBLIC_URL) {
    throw new ConfigError(
      "TRUST_PROXY: a proxy in front lets others reach this server, which needs PUBLIC_URL: without it anyone could sign in as anyone.",
    );
  }
  if (values.HOST && !isLoopback(values.HOST) && !values.PUBLIC_URL) {
    throw new ConfigError(
      `HOST: “${values.HOST}” can be reached by others, which needs PUBLIC_URL: without it anyone could sign in as anyone.`,
    );
  }
  const publicUrl = values.PUBLIC_URL ?? `http://localhost:${values.PORT}`;
  const localIdentity = !values.PUBLIC_URL && !values.STEAM_OPENID_URL;
  return {
    ...values,
    DATABASE_URL: withPassword(values.DATABASE_URL, values.DATABASE_PASSWORD),
    host: values.HOST ?? (values.PUBLIC_URL ? "0.0.0.0" : "127.0.0.1"),
    publicUrl,
    localIdentity,
    steamOpenIdUrl:
      values.STEAM_OPENID_URL ??
      (localIdentity ? `${publicUrl}/local-steam/openid/login` : "https://steamcommunity.com/openid/login"),
    secureCookies: publicUrl.startsWith("https://"),
  };
}

function withPassword(address: string | undefined, password: string | undefined): string | undefined {
  if (address === undefined || password === undefined) return address;
  const url = new URL(address);
  url.password = encodeURIComponent(password);
  return url.href;
}
