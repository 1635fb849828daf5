/**
 * A construct as the interface that it implements, such as a `Vpc` as an `IVpc`. CDK's types are not written for
 * `exactOptionalPropertyTypes` and differ in fields that may be undefined. The parameter type ignores only that.
 */
export const asInterface = <Interface>(
  construct: { readonly [Field in keyof Interface]: Interface[Field] | undefined },
): Interface => construct as Interface;
