import type { KpiEvaluation } from '@tenure/contract';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense, useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { flushAll } from '../../../ui/deferred.ts';
import { usePhone } from '../../../ui/use-phone.ts';
import { SaveGuard } from '../../../workflow/SaveGuard.tsx';
import type { Draft, DraftState } from './draft.ts';
import { useNamedErrors, type Form } from './fields.tsx';
import { Header } from './Header.tsx';
import classes from '../../../ui/RecordPage.module.css';
import { LoadingLines } from '../../../ui/LoadingLines.tsx';
import { RecordTabs } from '../../../ui/RecordTabs.tsx';
import {
  ActionBar,
  ActivityPart,
  AnswerBar,
  ConflictPart,
  DialogsPart,
  ExplainPart,
  ItemListPart,
  ItemPart,
  OverallPart,
  ReadingPart,
  UnsavableEditsPart,
} from './parts.ts';
import { submitActions, type EvaluationAction, type EvaluationSearch, type EvaluationView } from './search.ts';
import { StatusNotices } from './StatusNotices.tsx';
import { useDraft } from './use-draft.ts';

const route = getRouteApi('/shell/kpi/evaluations/$id');

/**
 * An evaluation: a form for the person whose turn it is, and a single page to read for others.
 * Over 40 lines: the parts of one page.
 */
export function Evaluation({ evaluation }: { evaluation: KpiEvaluation }) {
  const t = useTranslations('kpiEvaluation');
  const search = route.useSearch();
  const { draft, state } = useDraft(evaluation);
  const { go, open } = useSteps(draft);
  const form = useForm(draft, state);
  const view: EvaluationView = search.tab ?? 'form';
  const shared = { evaluation, draft, state, search, go };
  return (
    <>
      <Header evaluation={evaluation} onDo={(action) => void open(action)} />
      {/* exceptions push down the content below them, so it appears only after their texts are loaded */}
      <Suspense fallback={<LoadingLines lines={5} />}>
        <StatusNotices evaluation={evaluation} onDo={(action) => void open(action)} />
        {state.unsavable && (
          <Suspense>
            <UnsavableEditsPart texts={state.unsavable} evaluation={evaluation} onDone={draft.discardUnsavable} />
          </Suspense>
        )}
        <RecordTabs
          label={t('views')}
          names={{ form: t('view.form'), activity: t('view.activity') }}
          view={view}
          onView={(tab) => go({ tab, page: undefined })}
          form={
            form ? (
              <Items evaluation={evaluation} form={form} isFresh={state.phase === 'still' || state.phase === 'saved'} />
            ) : (
              <Suspense fallback={<LoadingLines lines={4} />}>
                <ReadingPart evaluation={evaluation} onExplain={() => go({ explain: true })} />
              </Suspense>
            )
          }
          activity={<ActivityPart id={evaluation.id} page={search.page} onPage={(page) => go({ page })} />}
        />
      </Suspense>
      {view === 'form' && form && (
        <Suspense>
          <BottomBar {...shared} form={form} open={open} />
        </Suspense>
      )}
      {mayAnswer(evaluation) && (
        <Suspense>
          <AnswerBar evaluation={evaluation} onDo={(action) => void open(action)} />
        </Suspense>
      )}
      <Overlays {...shared} />
    </>
  );
}

const mayAnswer = ({ allowed_actions: allowed }: KpiEvaluation) =>
  allowed.includes('accept') || allowed.includes('dispute');

/** Navigation within the evaluation, and how its steps start. */
function useSteps(draft: Draft) {
  const navigate = route.useNavigate();
  const go = (patch: Patch) => void navigate({ search: (old) => ({ ...old, ...patch }) as EvaluationSearch });
  const open = async (action: EvaluationAction) => {
    // A step needs the latest revision, so pending changes are saved first.
    await Promise.all([flushAll(), draft.flush()]);
    if (!draft.isDirty()) go({ do: action });
  };
  return { go, open };
}

/** The form of the user's side; undefined if it is not their turn. */
function useForm(draft: Draft, { base: { side }, values, errors }: DraftState): Form | undefined {
  const named = useNamedErrors();
  return side && { side, values, errors: named(errors), change: draft.change };
}

type BottomBarProps = OverlayProps & { form: Form; open: (action: EvaluationAction) => Promise<void> };

function BottomBar({ search, go, open, ...shared }: BottomBarProps) {
  const { evaluation, form } = shared;
  const phone = usePhone();
  const submit = submitActions.find((action) => evaluation.allowed_actions.includes(action));
  return (
    <ActionBar
      {...shared}
      shown={shownItem(evaluation, form, search.item)}
      isPhone={phone}
      onShow={(item) => go({ item })}
      onExplain={() => go({ explain: true })}
      submit={submit}
      onSubmit={() => submit && void open(submit)}
    />
  );
}

type Patch = { [K in keyof EvaluationSearch]?: EvaluationSearch[K] | undefined };
type OverlayProps = {
  evaluation: KpiEvaluation;
  draft: Draft;
  state: DraftState;
  search: EvaluationSearch;
  go: (patch: Patch) => void;
};

/** The dialogs and explanations above the page. */
function Overlays({ evaluation, draft, state, search, go }: OverlayProps) {
  return (
    <>
      <Suspense>
        <ExplainPart
          evaluation={evaluation}
          opened={search.explain === true}
          onClose={() => go({ explain: undefined })}
        />
      </Suspense>
      <Suspense>
        <DialogsPart
          evaluation={evaluation}
          values={state.values}
          action={search.do}
          onClose={() => go({ do: undefined })}
        />
      </Suspense>
      <Suspense>
        <ConflictPart evaluation={evaluation} draft={draft} state={state} />
      </Suspense>
      <SaveGuard state={state} pathname={`/kpi/evaluations/${evaluation.id}`} trySave={draft.flush} />
    </>
  );
}

/** The item in the address; by default the first one, for HR the overall part. */
function shownItem({ items }: KpiEvaluation, form: Form | undefined, wanted: number | undefined): number {
  const first = form?.side === 'hr' ? 0 : (items[0]?.id ?? 0);
  return wanted === 0 || items.some(({ id }) => id === wanted) ? (wanted ?? first) : first;
}

type ItemsProps = { evaluation: KpiEvaluation; form: Form; isFresh: boolean };

function Items({ evaluation, form, isFresh }: ItemsProps) {
  const phone = usePhone();
  const shown = shownItem(evaluation, form, route.useSearch().item);
  const item = evaluation.items.find(({ id }) => id === shown);
  useFocusOnChange(shown);
  return (
    <div className={classes['body']}>
      {!phone && (
        <div className={classes['aside']}>
          <Suspense>
            <ItemListPart evaluation={evaluation} form={form} shown={shown} />
          </Suspense>
        </div>
      )}
      <Suspense fallback={<LoadingLines lines={4} />}>
        {item ? (
          <ItemPart key={item.id} evaluation={evaluation} item={item} form={form} isFresh={isFresh} />
        ) : (
          <OverallPart evaluation={evaluation} form={form} />
        )}
      </Suspense>
    </div>
  );
}

/** Focuses the heading of an item after navigation to it. */
function useFocusOnChange(shown: number): void {
  const before = useRef(shown);
  useEffect(() => {
    if (before.current === shown) return undefined;
    before.current = shown;
    // after the closing dialog has returned the focus
    const timer = setTimeout(() => {
      const heading = document.getElementById('shown-item');
      heading?.focus({ preventScroll: true });
      heading?.scrollIntoView({ block: 'center' });
    }, 60);
    return () => clearTimeout(timer);
  }, [shown]);
}
