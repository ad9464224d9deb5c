/** Kind of fleet resource from which a parameter's value is selected. */
export type ParameterMeaning = 'organization' | 'location' | 'machine' | 'part' | 'component';

/** Patterns in parameter names. The wire protocol calls machines robots. */
const MEANINGS: readonly (readonly [RegExp, ParameterMeaning])[] = [
  [/component/i, 'component'],
  [/part/i, 'part'],
  [/machine|robot/i, 'machine'],
  [/location/i, 'location'],
  [/organi[sz]ation|(^|_)org(_|$)/i, 'organization'],
];

/** Returns a parameter name's meaning; undefined if no pattern matches. */
export function getMeaning(name: string): ParameterMeaning | undefined {
  return MEANINGS.find(([pattern]) => pattern.test(name))?.[1];
}
