/** A map's icon. One that fails to load is hidden, also when that was before the script that hears of it. */
export function MapEmblem({ url, className = "size-12" }: { url: string; className?: string }) {
  return (
    <img
      key={url}
      ref={hideIfBroken}
      src={url}
      alt=""
      width={48}
      height={48}
      loading="lazy"
      onError={(event) => {
        event.currentTarget.hidden = true;
      }}
      className={`flex-none [&[hidden]]:hidden ${className}`}
    />
  );
}

/** A picture that has come can be decoded; one that never came cannot. One that is still on its way is left alone. */
function hideIfBroken(image: HTMLImageElement | null): void {
  if (image?.complete)
    image.decode().catch(() => {
      image.hidden = true;
    });
}
