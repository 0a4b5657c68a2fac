import { Button } from '@mantine/core';
import type { ProbationReview } from '@tenure/contract';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense, useRef, type Ref, type RefObject } from 'react';
import { useTranslations } from 'use-intl';
import { FootBar } from '../../../ui/FootBar.tsx';
import classes from '../../../ui/RecordPage.module.css';
import { PrintedBy } from '../../../ui/paper.ts';
import { RecordTabs } from '../../../ui/RecordTabs.tsx';
import { SaveState } from '../../../ui/SaveState.tsx';
import { SaveGuard } from '../../../workflow/SaveGuard.tsx';
import { type ProbationAction, type ReviewSearch, type ReviewView } from '../search.ts';
import { About } from './About.tsx';
import type { Adding } from './AddCriterion.tsx';
import { Assessment } from './Assessment.tsx';
import { RelatedReviews } from './RelatedReviews.tsx';
import { Header } from './Header.tsx';
import { ActivityPart, AssessmentForm, ConflictPart, DialogsPart, UnsavableEditsPart } from './parts.ts';
import { Result } from './Result.tsx';
import page from './review.module.css';
import { Signatures } from './Signatures.tsx';
import { StatusNotices } from './StatusNotices.tsx';
import { useDraft, type Draft, type DraftState } from './use-draft.ts';

const route = getRouteApi('/shell/probation/$id');

type Patch = { [K in keyof ReviewSearch]?: ReviewSearch[K] | undefined };

/** A probation review: written by its reviewer, decided by HR, acknowledged by the employee. */
export function Review({ review }: { review: ProbationReview }) {
  const t = useTranslations('probationReview');
  const search = route.useSearch();
  const { draft, state } = useDraft(review);
  const adding = useRef<Adding>(null);
  const { go, open } = useSteps(draft, adding);
  const view: ReviewView = search.tab ?? 'form';
  // False until a saved change has arrived in the query cache: steps need the saved state.
  const isWhole = review.revision >= state.base.revision;
  return (
    <>
      <Header review={review} onDo={(action) => void open(action)} />
      <StatusNotices review={review} />
      {state.unsavable && (
        <Suspense>
          <UnsavableEditsPart texts={state.unsavable} onDone={draft.discardUnsavable} />
        </Suspense>
      )}
      <RecordTabs
        label={t('views')}
        names={{ form: t('view.form'), activity: t('view.activity') }}
        view={view}
        onView={(tab) => go({ tab, page: undefined })}
        form={<Content review={review} draft={draft} state={state} adding={adding} />}
        activity={<ActivityPart id={review.id} page={search.page} onPage={(page) => go({ page })} />}
      />
      {view === 'form' && state.base.side && (
        <BottomBar draft={draft} state={state} onSubmit={() => void open('submit')} />
      )}
      <Suspense>
        <DialogsPart review={review} action={isWhole ? search.do : undefined} onClose={() => go({ do: undefined })} />
      </Suspense>
      <Suspense>
        <ConflictPart draft={draft} state={state} />
      </Suspense>
      <SaveGuard state={state} pathname={`/probation/${review.id}`} trySave={draft.flush} />
    </>
  );
}

/** Navigation within the review, and how its steps start. */
function useSteps(draft: Draft, adding: RefObject<Adding | null>) {
  const navigate = route.useNavigate();
  const go = (patch: Patch) => void navigate({ search: (old) => ({ ...old, ...patch }) as ReviewSearch });
  const open = async (action: ProbationAction) => {
    if (adding.current?.finish() === false) return go({ tab: undefined });
    // A step needs the latest revision, so pending changes are saved first.
    await draft.flush();
    return draft.isDirty() ? undefined : go({ do: action });
  };
  return { go, open };
}

type BottomBarProps = { draft: Draft; state: DraftState; onSubmit: () => void };

/** The bar at the bottom: the save state and the submit button. */
function BottomBar({ draft, state, onSubmit }: BottomBarProps) {
  const t = useTranslations('probationReview');
  return (
    <FootBar label={t('bar')} actions={<Button onClick={onSubmit}>{t('do.submit')}</Button>}>
      <SaveState state={state} onRetry={() => void draft.flush()} />
    </FootBar>
  );
}

type ContentProps = { review: ProbationReview; draft: Draft; state: DraftState; adding: Ref<Adding> };

function Content({ review, draft, state, adding }: ContentProps) {
  const form = state.base.side && { values: state.values, errors: state.errors, change: draft.change, adding };
  return (
    <div className={`${classes['skeleton']} ${page['content']}`}>
      <Result review={review} />
      <About review={review} />
      {form ? (
        <Suspense>
          <AssessmentForm form={form} review={review} />
        </Suspense>
      ) : (
        <Assessment review={review} />
      )}
      <Signatures review={review} />
      <RelatedReviews review={review} />
      <Suspense>
        <PrintedBy />
      </Suspense>
    </div>
  );
}
