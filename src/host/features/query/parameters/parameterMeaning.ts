/** What of the fleet the value of a parameter is chosen from. */
export type ParameterMeaning = 'organization' | 'location' | 'machine' | 'part' | 'component';

/** What the name of a parameter has in it; the wire calls machines robots. */
const MEANINGS: readonly (readonly [RegExp, ParameterMeaning])[] = [
  [/component/i, 'component'],
  [/part/i, 'part'],
  [/machine|robot/i, 'machine'],
  [/location/i, 'location'],
  [/organi[sz]ation|(^|_)org(_|$)/i, 'organization'],
];

/** What the name of a parameter says that it stands for; nothing when it says none of these. */
export function meaningOf(name: string): ParameterMeaning | undefined {
  return MEANINGS.find(([pattern]) => pattern.test(name))?.[1];
}
