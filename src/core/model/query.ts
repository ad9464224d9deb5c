import type { OrganizationId } from './ids';

/** Query languages for readings (spec part 1, TabularDataBySQL and TabularDataByMQL). */
export type QueryLanguage = 'sql' | 'mql';

/**
 * Query for the readings of an organization that is ready to run, with its parameters filled in.
 */
export interface FleetQuery {
  readonly organizationId: OrganizationId;
  readonly language: QueryLanguage;
  /** SELECT statement for the table `readings`, or a pipeline as a JSON list of stages. */
  readonly text: string;
  /** True to query only recent data, which the API supports only for MQL. */
  readonly recent: boolean;
}

/** Range in a query's text, in UTF-16 code units, as in editors. The end is exclusive. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}
