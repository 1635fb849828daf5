interface MoreButtonProps {
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  readonly onMore: () => void;
}

export function MoreButton({ hasMore, isLoading, onMore }: MoreButtonProps) {
  if (!hasMore) return null;
  return (
    <button type="button" disabled={isLoading} onClick={onMore}>
      {isLoading ? 'Loading …' : 'Show more'}
    </button>
  );
}
