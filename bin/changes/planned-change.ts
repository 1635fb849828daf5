import { HOLDS_DATA } from '../../lib/holds-data.ts';

/** What a deployment would do to one resource. */
export interface PlannedChange {
  readonly logicalId: string;
  readonly type: string;
  /** `Add`, `Modify`, `Remove` … as CloudFormation calls it. */
  readonly action: string;
  /** Whether the resource would be replaced: `True`, `False`, or `Conditional` if only the deployment can tell. */
  readonly replacement: string | undefined;
}

const isReplaced = ({ replacement }: PlannedChange): boolean =>
  replacement === 'True' || replacement === 'Conditional';

/** Also true if the stage retains what it removes: the next deployment would begin with an empty resource. */
export const losesData = (change: PlannedChange): boolean =>
  HOLDS_DATA.includes(change.type) && (change.action === 'Remove' || isReplaced(change));

/** `Modify, replaced  AWS::DynamoDB::GlobalTable  Keys4E30B592` */
export function changeLine(change: PlannedChange): string {
  const how = isReplaced(change) ? `${change.action}, ${REPLACED[change.replacement ?? '']}` : change.action;
  return `${how.padEnd(24)}  ${change.type.padEnd(36)}  ${change.logicalId}`;
}

const REPLACED: Readonly<Record<string, string>> = { True: 'replaced', Conditional: 'perhaps replaced' };
