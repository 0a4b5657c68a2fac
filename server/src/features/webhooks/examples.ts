import { eventTypeNames, eventTypes } from '@tenure/contract';
import type { Event, EventType } from '@tenure/contract';

/** The catalogue of events, as users choose from it. */

const changed: Partial<Record<EventType, string[]>> = {
  'employee.updated': ['department_id', 'job_title', 'private'],
  'employee.separated': ['last_working_day', 'private'],
  'employee.roles_changed': ['roles'],
  'department.updated': ['name'],
  'entity.updated': ['name', 'time_zone'],
};

/** Types about a person; the others have no `employee_id`. */
const aboutPeople = /^(employee|job_change|kpi_evaluation|probation_review|account)\./;

function exampleOf(type: EventType, index: number): Event {
  const isPerson = type.startsWith('employee.');
  return {
    sequence: 81_234 + index,
    type,
    timestamp: '2026-11-21T01:48:42.000Z',
    data: {
      id: isPerson ? 57 : 8,
      entity_id: type.startsWith('kpi_cycle.') ? null : 1,
      employee_id: aboutPeople.test(type) ? 57 : null,
      changed: changed[type] ?? [],
      actor: { type: 'user' },
    },
  };
}

export const eventCatalogue = eventTypeNames.map((type, index) => ({
  type,
  permission: eventTypes[type].permission,
  example: exampleOf(type, index),
}));
