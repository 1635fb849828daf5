import { BookOpen } from 'lucide-preact';
import { Link, useLocation } from 'wouter-preact';
import { useSession } from '../session/session.tsx';
import { type Place, type PlaceGroup, placesFor } from './places.ts';

export function Navigation() {
  const { isManagement } = useSession();
  return (
    <nav class="navigation" aria-label="Console">
      {placesFor(isManagement).map((group) => (
        <Group key={group.name} group={group} />
      ))}
      <ul>
        <li>
          <a href="/api/v1/docs">
            <BookOpen />
            API reference
          </a>
        </li>
      </ul>
    </nav>
  );
}

function Group({ group: { name, places } }: { readonly group: PlaceGroup }) {
  return (
    <div>
      <h2>{name}</h2>
      <ul>
        {places.map((place) => (
          <li key={place.path}>
            <PlaceLink place={place} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function PlaceLink({ place: { path, name, icon: Icon } }: { readonly place: Place }) {
  const [here] = useLocation();
  return (
    <Link href={path} {...(isAt(path, here) ? { 'aria-current': 'page' as const } : {})}>
      <Icon />
      {name}
    </Link>
  );
}

/** Also on the pages below it; a video is one of those of `/`. */
export function isAt(path: string, here: string): boolean {
  if (path === '/') return here === '/' || here.startsWith('/videos/');
  return here === path || here.startsWith(`${path}/`);
}
