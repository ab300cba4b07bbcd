import { productName } from "./product-name.ts";

/** The mark: a reticle that is also a play button. */
function LogoMark({ className = "size-8" }: { className?: string }) {
  return (
    <svg viewBox="0 0 40 40" aria-hidden="true" className={className}>
      <path
        d="M20 3a17 17 0 0 1 17 17M20 37A17 17 0 0 1 3 20"
        fill="none"
        stroke="currentColor"
        strokeWidth="4"
        strokeLinecap="round"
      />
      <path d="M20 1v6M20 33v6M1 20h6M33 20h6" stroke="currentColor" strokeWidth="2.5" />
      <path
        d="M15 11.8v16.4a1.2 1.2 0 0 0 1.8 1L30 20.9a1.1 1.1 0 0 0 0-1.9L16.8 10.8a1.2 1.2 0 0 0-1.8 1Z"
        fill="#ff5a67"
      />
    </svg>
  );
}

export function Logo() {
  return (
    <span className="flex items-center gap-2.5">
      <LogoMark />
      <span className="figure text-2xl leading-none tracking-wide uppercase max-[26rem]:text-xl">{productName}</span>
    </span>
  );
}
