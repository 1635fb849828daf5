/** A fault that somebody could build in: in one file, one text in place of another. */
export interface PlantedBug {
  readonly name: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /** The fast tests that find it. Without any, the simulator does. */
  readonly tests?: readonly string[];
}

/** A condition that is asked, and holds whatever it is asked of: DynamoDB refuses names that no expression uses. */
export const always = (condition: string): string => `(${condition} OR NOT ${condition})`;
