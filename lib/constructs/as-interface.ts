/**
 * A construct as the interface that it implements: an `IVpc` of a `Vpc`. CDK's types are not written for
 * `exactOptionalPropertyTypes`, and differ in fields that may be undefined; the parameter lets that pass and nothing else.
 */
export const asInterface = <Interface>(
  construct: { readonly [Field in keyof Interface]: Interface[Field] | undefined },
): Interface => construct as Interface;
