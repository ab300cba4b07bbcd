/** A map's icon. An icon that fails to load leaves nothing behind: an image without alternative text draws none. */
export function MapEmblem({ url, className = "size-12" }: { url: string; className?: string }) {
  return (
    <img
      src={url}
      alt=""
      width={48}
      height={48}
      loading="lazy"
      onError={(event) => {
        event.currentTarget.hidden = true;
      }}
      className={`flex-none ${className}`}
    />
  );
}
