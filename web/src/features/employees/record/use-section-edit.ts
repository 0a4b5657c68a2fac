import { employees, type Employee } from '@tenure/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { isOutdated, type ApiError } from '../../../api/api-error.ts';
import { compareVersions, type Difference } from '../../../ui/versions.ts';
import type { Field, FieldName } from '../form/fields.ts';
import { usePersonForm } from '../form/use-person-form.ts';
import { bodyOf, changedIn, valuesOf, type Values } from '../form/values.ts';
import type { RecordSource } from './record-source.ts';

export type Saved = { employee: Employee; before: Values; changed: FieldName[]; warnings: string[] };
/** The initial state of an edit; it may come from a draft kept at the end of a session. */
export type Start = { base: Values; revision: number; values: Values };
type Conflict = { differences: Difference[]; merged: Values; theirs: Employee };

const startOf = (employee: Employee): Start => ({
  base: valuesOf(employee),
  revision: employee.revision,
  values: valuesOf(employee),
});

async function compareWithStored(source: RecordSource, base: Values, values: Values) {
  const theirs = await source.read();
  return { theirs, ...compareVersions(base, values, valuesOf(theirs)) };
}

function changedAmong(fields: readonly Field[], base: Values, values: Values): FieldName[] {
  const names = new Set(fields.map(({ name }) => name));
  return changedIn(base, values).filter((name) => names.has(name));
}

/**
 * Edits some fields of a person. After a concurrent change, non-overlapping changes are merged; `conflict` holds the
 * overlapping ones for the user to choose. Over 40 lines: writing and merging call each other.
 */
export function useSectionEdit(employee: Employee, fields: readonly Field[], source: RecordSource, kept?: Start) {
  const [start] = useState(() => kept ?? startOf(employee));
  const form = usePersonForm(start.base, start.values);
  const [conflict, setConflict] = useState<Conflict>();
  const [other, setOther] = useState<ApiError>();
  const queries = useQueryClient();

  const write = (values: Values, base: Values, revision: number, onSaved: (saved: Saved) => void) => {
    const changed = changedAmong(fields, base, values);
    source.write(
      { ...bodyOf(values, changed), revision },
      {
        onDone: (written) => {
          setConflict(undefined);
          onSaved({ ...written, before: base, changed });
        },
        onRefused: (error) => {
          if (isOutdated(error, revision)) return void merge(values, base, onSaved);
          setConflict(undefined);
          return void form.refuse(error);
        },
      },
    );
  };

  /** Reads the record after a concurrent change and merges both versions. */
  const merge = async (values: Values, base: Values, onSaved: (saved: Saved) => void) => {
    try {
      const { theirs, merged, differences } = await compareWithStored(source, base, values);
      if (differences.length > 0) setConflict({ differences, merged, theirs });
      else write(merged, valuesOf(theirs), theirs.revision, onSaved);
    } catch (error) {
      setOther(error as ApiError);
    }
  };

  return {
    form,
    start,
    error: other ?? (conflict ? null : source.error),
    isPending: source.isPending,
    conflict,
    save: (onSaved: (saved: Saved) => void) => {
      setOther(undefined);
      if (changedIn(start.base, form.values).length === 0)
        onSaved({ employee, before: start.base, changed: [], warnings: [] });
      else write(form.values, start.base, start.revision, onSaved);
    },
    /** Saves the chosen values over the other version. */
    resolve: (chosen: Record<string, string>, onSaved: (saved: Saved) => void) => {
      if (!conflict) return;
      const values: Values = { ...conflict.merged, ...chosen };
      write(values, valuesOf(conflict.theirs), conflict.theirs.revision, onSaved);
    },
    backToForm: () => {
      setConflict(undefined);
      void queries.invalidateQueries({ queryKey: [employees.get.path] });
    },
  };
}
