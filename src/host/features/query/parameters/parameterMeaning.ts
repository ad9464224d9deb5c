/** Kind of fleet resource from which the value of a parameter is selected. */
export type ParameterMeaning = 'organization' | 'location' | 'machine' | 'part' | 'component';

/** Patterns in the names of parameters; the wire's name for machines is robots. */
const MEANINGS: readonly (readonly [RegExp, ParameterMeaning])[] = [
  [/component/i, 'component'],
  [/part/i, 'part'],
  [/machine|robot/i, 'machine'],
  [/location/i, 'location'],
  [/organi[sz]ation|(^|_)org(_|$)/i, 'organization'],
];

/** Returns the meaning of a parameter's name; undefined if it has none of these. */
export function getMeaning(name: string): ParameterMeaning | undefined {
  return MEANINGS.find(([pattern]) => pattern.test(name))?.[1];
}
