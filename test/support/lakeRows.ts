/** Returns a database row for an organization. */
export function organizationRow(id: string) {
  return {
    id,
    name: id,
    created_at: 1,
    public_namespace: null,
    default_region: '',
    cid: null,
    default_fragments: null,
    allowed_login_methods: null,
    metadata: '{}',
  };
}

/** Returns a database row for a series of readings in an organization. */
export function seriesRow(organizationId: string, componentName = 'thermometer') {
  return {
    organization_id: organizationId,
    location_id: 'hall',
    robot_id: 'arm',
    robot_name: 'arm',
    part_id: 'main',
    part_name: 'main',
    component_type: 'rdk:component:sensor',
    component_kind: 'sensor',
    component_name: componentName,
    method_name: 'Readings',
    method_parameters: null,
    parameters: '',
    tags: '',
  };
}
