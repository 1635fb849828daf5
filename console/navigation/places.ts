import {
  ChartColumn,
  Coins,
  Files,
  Film,
  Key,
  LayoutGrid,
  Library,
  type LucideIcon,
  Play,
  Plug,
  ScrollText,
  Settings,
  ShieldCheck,
} from 'lucide-preact';

export interface Place {
  readonly path: string;
  readonly name: string;
  readonly icon: LucideIcon;
}

export interface PlaceGroup {
  readonly name: 'Workspace' | 'Deployment';
  readonly places: readonly Place[];
}

const FOR_CALLERS: readonly Place[] = [
  { path: '/playground', name: 'Playground', icon: Play },
  { path: '/', name: 'Videos', icon: Film },
  { path: '/files', name: 'Files', icon: Files },
];
const FOR_MANAGERS: readonly Place[] = [
  { path: '/keys', name: 'Keys', icon: Key },
  { path: '/guardrails', name: 'Guardrails', icon: ShieldCheck },
  { path: '/usage', name: 'Usage', icon: ChartColumn },
  { path: '/settings', name: 'Settings', icon: Settings },
];
export const OF_DEPLOYMENT: readonly Place[] = [
  { path: '/workspaces', name: 'Workspaces', icon: LayoutGrid },
  { path: '/credits', name: 'Credits', icon: Coins },
  { path: '/deployment/usage', name: 'Usage', icon: ChartColumn },
  { path: '/providers', name: 'Providers', icon: Plug },
  { path: '/catalogue', name: 'Catalogue', icon: Library },
  { path: '/audit', name: 'Audit', icon: ScrollText },
];

/** What there is to go to. All of `Workspace` shows the workspace that is chosen at the top. */
export const placesFor = (isManagement: boolean): readonly PlaceGroup[] =>
  isManagement
    ? [
        { name: 'Workspace', places: [...FOR_CALLERS, ...FOR_MANAGERS] },
        { name: 'Deployment', places: OF_DEPLOYMENT },
      ]
    : [{ name: 'Workspace', places: FOR_CALLERS }];
