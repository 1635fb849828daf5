/** Takes the room that the content is about to take, so that nothing jumps. */
export function Loading({ what }: { readonly what: string }) {
  return (
    <div class="loading" role="status">
      Loading {what} …
    </div>
  );
}
