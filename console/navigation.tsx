import { Link, useRoute } from 'wouter-preact';

const CALLERS = [
  ['/', 'Videos'],
  ['/videos/new', 'New video'],
  ['/files', 'Files'],
] as const;
const MANAGERS = [
  ['/workspaces', 'Workspaces'],
  ['/keys', 'Keys'],
  ['/credits', 'Credits'],
  ['/activity', 'Activity'],
  ['/providers', 'Providers'],
] as const;

export function Navigation({ isManagement }: { readonly isManagement: boolean }) {
  return (
    <nav class="navigation" aria-label="Console">
      <ul>
        {[...CALLERS, ...(isManagement ? MANAGERS : [])].map(([path, name]) => (
          <li key={path}>
            <NavigationLink path={path} name={name} />
          </li>
        ))}
        <li>
          <a href="/api/v1/docs">API reference</a>
        </li>
      </ul>
    </nav>
  );
}

function NavigationLink({ path, name }: { readonly path: string; readonly name: string }) {
  const [isHere] = useRoute(path);
  return (
    <Link href={path} {...(isHere ? { 'aria-current': 'page' as const } : {})}>
      {name}
    </Link>
  );
}
