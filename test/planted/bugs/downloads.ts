import type { PlantedBug } from '../planted-bug.ts';

const LINKS = 'functions/downloads/links.ts';
const KEYS = 'functions/downloads/link-key.ts';

/** Bugs in links to downloads, and in the keys that sign them. */
export const DOWNLOAD_BUGS: readonly PlantedBug[] = [
  {
    name: 'a link is not signed for its name',
    file: LINKS,
    from: 'cannedPolicy(resource, expires)), await',
    to: "cannedPolicy(resource.replace(/[?].*/, ''), expires)), await",
    tests: ['test/downloads/edge-links.test.ts'],
  },
  {
    name: 'a link works longer than it says',
    file: LINKS,
    from: '`Expires=${expires}`',
    to: '`Expires=${expires + 1}`',
    tests: ['test/downloads/links.test.ts'],
  },
  {
    name: 'all generations of links have one key',
    file: KEYS,
    from: '`download-links/${generation}`',
    to: '`download-links/${Math.min(generation, 1)}`',
    tests: ['test/downloads/link-key.test.ts'],
  },
  {
    name: 'CloudFront learns a key only when it signs',
    file: KEYS,
    from: 'generation, generation + 1]',
    to: 'generation]',
    tests: ['test/downloads/link-key.test.ts'],
  },
  {
    name: 'every link of a page derives the key',
    file: 'functions/endpoints/deployed-links.ts',
    from: 'return memoize(async',
    to: 'return (async',
    tests: ['test/endpoints/deployed-links.test.ts'],
  },
];
