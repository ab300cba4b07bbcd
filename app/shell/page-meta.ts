import type { MetaDescriptor } from "@remix-run/node";
import { productName } from "./product-name.ts";

interface PageMeta {
  title: string;
  /** Title for link previews, if the page's own is too long for them. */
  shortTitle?: string;
  description?: string;
  /** The page's own absolute address. */
  url?: string | undefined;
  /** Absolute address of a picture for link previews. */
  image?: string | undefined;
  noindex?: boolean;
  /** Path of the Atom feed with the same content. */
  feed?: string;
}

/** Title, description and link preview of a page. */
export function pageMeta({
  title,
  shortTitle = title,
  description,
  url,
  image,
  noindex,
  feed,
}: PageMeta): MetaDescriptor[] {
  const picture = image ?? (url ? new URL("/og-image.png", url).href : undefined);
  return [
    { title },
    ...(description
      ? [
          { name: "description", content: description },
          { property: "og:description", content: description },
        ]
      : []),
    { property: "og:site_name", content: productName },
    { property: "og:title", content: shortTitle },
    ...(url
      ? [
          { property: "og:url", content: url },
          { tagName: "link", rel: "canonical", href: url },
        ]
      : []),
    ...(picture ? [{ property: "og:image", content: picture }] : []),
    ...(feed ? [{ tagName: "link", rel: "alternate", type: "application/atom+xml", href: feed }] : []),
    ...(noindex ? [{ name: "robots", content: "noindex" }] : []),
  ];
}
