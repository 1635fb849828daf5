/** A bug: in one file, one text is replaced by another. */
export interface PlantedBug {
  readonly name: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /** The fast tests that find the bug. If it has none, the simulator must find it. */
  readonly tests?: readonly string[];
}

/** A condition that always holds but uses every name of the original one. DynamoDB refuses unused names. */
export const always = (condition: string): string => `(${condition} OR NOT ${condition})`;
