import { account_security_notice } from './de-security.ts';
import type { Translation } from './en.ts';

/** See en.ts for what the texts are. */
export const de: Translation = {
  test: 'Test: {text}',
  mail: {
    greeting: 'Guten Tag {name},',
    open: 'Tenure öffnen',
    several: '{count} neue Benachrichtigungen',
    reason: 'Tenure hat diese Nachricht gesendet, weil Sie dort ein Konto haben.',
  },
  passwordLink: {
    subject: 'Wählen Sie ein neues Passwort',
    intro: 'Sie wurden gebeten, ein neues Passwort zu wählen. Öffnen Sie dazu diesen Link:',
    open: 'Passwort wählen',
    once: 'Der Link gilt einmal und endet 72 Stunden, nachdem er angefordert wurde. Niemand sonst erhält ihn: Geben Sie ihn nicht weiter. Wenn Sie ihn nicht erwartet haben, sagen Sie es bitte der Personalabteilung.',
  },
  events: {
    kpi_evaluation_assigned: {
      kind: 'Eine KPI-Beurteilung wartet auf Sie',
      title: 'Ihre Beurteilung {cycle} hat begonnen',
      body: 'Bitte schließen Sie Ihre Selbsteinschätzung bis {date} ab.',
    },
    kpi_hr_review_submitted: {
      kind: 'Ihr KPI-Ergebnis liegt vor',
      title: 'Ihr Ergebnis {cycle} liegt vor',
      body: 'Bitte nehmen Sie es bis {date} an, oder widersprechen Sie ihm.',
    },
    kpi_self_assessment_submitted: {
      kind: 'Eine KPI-Beurteilung kann bewertet werden',
      title: '{person} kann von Ihnen bewertet werden',
      body: 'Die Selbsteinschätzung für {cycle} wurde Ihnen übergeben.',
      skipped: {
        title: '{person} kann von Ihnen bewertet werden',
        body: 'Die Selbsteinschätzung für {cycle} wurde übersprungen.',
      },
      unassigned: {
        title: 'Niemand kann {person} für {cycle} bewerten',
        body: 'Bitte bestimmen Sie eine bewertende Person.',
      },
    },
    kpi_manager_review_submitted: {
      kind: 'Eine KPI-Beurteilung wartet auf die Personalabteilung',
      title: '{person} kann von der Personalabteilung geprüft werden',
      body: 'Die Bewertung durch die Führungskraft für {cycle} ist abgeschlossen.',
    },
    kpi_evaluation_accepted: {
      kind: 'Ein KPI-Ergebnis wurde angenommen',
      title: '{person} hat das Ergebnis {cycle} angenommen',
      body: 'Die Beurteilung kann abgeschlossen werden.',
    },
    kpi_evaluation_disputed: {
      kind: 'Einem KPI-Ergebnis wurde widersprochen',
      title: '{person} widerspricht dem Ergebnis {cycle}',
      body: 'Bitte sehen Sie sich die Gründe an, und entscheiden Sie.',
    },
    kpi_acceptance_lapsed: {
      kind: 'Die Frist zur Annahme eines KPI-Ergebnisses ist um',
      title: 'Das Ergebnis {cycle} von {person} gilt als angenommen',
      body: 'Es kam keine Antwort in der Frist.',
      own: { title: 'Ihr Ergebnis {cycle} gilt als angenommen', body: 'Die Frist zur Antwort ist um.' },
    },
    kpi_evaluation_returned: {
      kind: 'Eine KPI-Beurteilung wurde zurückgegeben',
      title: 'Die Beurteilung {cycle} von {person} kam an Sie zurück',
      body: 'Bitte sehen Sie sich die Gründe an, und übergeben Sie sie erneut.',
      own: {
        title: 'Ihre Beurteilung {cycle} kam an Sie zurück',
        body: 'Bitte sehen Sie sich die Gründe an, und übergeben Sie sie erneut.',
      },
      own_after_dispute: {
        title: 'Ihre Beurteilung {cycle} wird erneut bewertet',
        body: 'Ihr Widerspruch wurde geprüft: Die Beurteilung liegt jetzt bei der bewertenden Person.',
      },
    },
    kpi_evaluation_completed: {
      kind: 'Eine KPI-Beurteilung ist abgeschlossen',
      title: 'Die Beurteilung {cycle} von {person} ist abgeschlossen',
      body: 'Das Ergebnis ist endgültig.',
      own: { title: 'Ihre Beurteilung {cycle} ist abgeschlossen', body: 'Das Ergebnis ist endgültig.' },
      own_modified: {
        title: 'Ihr Ergebnis {cycle} wurde geändert',
        body: 'Über Ihren Widerspruch ist entschieden: aus {before} wurde {after}. Das Ergebnis ist endgültig.',
      },
      modified: {
        title: 'Das Ergebnis {cycle} von {person} wurde geändert',
        body: 'Über den Widerspruch ist entschieden: aus {before} wurde {after}. Das Ergebnis ist endgültig.',
      },
    },
    kpi_evaluation_reopened: {
      kind: 'Eine KPI-Beurteilung wurde wieder geöffnet',
      title: 'Die Beurteilung {cycle} von {person} wurde wieder geöffnet',
      body: 'Auf ihrer Seite steht, wie es weitergeht.',
      own: {
        title: 'Ihre Beurteilung {cycle} wurde wieder geöffnet',
        body: 'Auf ihrer Seite steht, wie es weitergeht.',
      },
    },
    kpi_evaluation_cancelled: {
      kind: 'Eine KPI-Beurteilung wurde abgebrochen',
      title: 'Die Beurteilung {cycle} von {person} wurde abgebrochen',
      body: 'Es bleibt nichts zu tun.',
      own: { title: 'Ihre Beurteilung {cycle} wurde abgebrochen', body: 'Es bleibt nichts zu tun.' },
    },
    kpi_reviewer_changed: {
      kind: 'Die Zuständigkeit für eine KPI-Beurteilung hat gewechselt',
      title: 'Sie bewerten {person} für {cycle}',
      body: 'Die Beurteilung wurde Ihnen übergeben.',
      former: { title: 'Sie bewerten {person} für {cycle} nicht mehr', body: 'Jemand anderes hat übernommen.' },
    },
    kpi_extension_requested: {
      kind: 'Jemand bittet um mehr Zeit',
      title: '{person} bittet um mehr Zeit für {cycle}',
      body: 'Bitte entscheiden Sie über die Selbsteinschätzung.',
    },
    kpi_extension_decided: {
      kind: 'Über Ihre Bitte um mehr Zeit wurde entschieden',
      title: 'Sie haben bis {date} Zeit für {cycle}',
      body: 'Sie bekommen mehr Zeit für Ihre Selbsteinschätzung.',
      rejected: { title: 'Nicht mehr Zeit für {cycle}', body: 'Ihrer Bitte um mehr Zeit wurde nicht entsprochen.' },
    },
    kpi_deadline_reminder: {
      kind: 'Erinnerung an eine KPI-Frist',
      title: '{cycle}: fällig am {date}',
      body: 'Die Beurteilung von {person} wartet auf Sie.',
      own: { title: '{cycle}: fällig am {date}', body: 'Ihre Beurteilung wartet auf Sie.' },
    },
    kpi_cycle_published: {
      kind: 'Ein KPI-Zyklus hat begonnen',
      title: '{cycle} hat begonnen',
      body: '{count, plural, one {# Person nimmt teil} other {# Personen nehmen teil}}.',
      stopped: {
        title: '{cycle}: Die Veröffentlichung wurde abgebrochen',
        body: '{count, plural, one {# Person hat ihre Beurteilung} other {# Personen haben ihre Beurteilung}}. Für die anderen bitte erneut veröffentlichen.',
      },
    },
    kpi_cycle_closed: {
      kind: 'Ein KPI-Zyklus wurde geschlossen',
      title: '{cycle} wurde geschlossen',
      body: 'Die Ergebnisse sind endgültig.',
    },
    kpi_cycle_window_changed: {
      kind: 'Die Termine eines KPI-Zyklus haben sich geändert',
      title: '{cycle}: Ihr Schritt ist jetzt am {date} fällig',
      body: 'Die Termine des Zyklus haben sich geändert.',
      opens: {
        title: '{cycle}: Ihr Schritt beginnt jetzt am {date}',
        body: 'Die Termine des Zyklus haben sich geändert.',
      },
      open: { title: '{cycle}: Ihr Schritt ist jetzt offen', body: 'Die Termine des Zyklus haben sich geändert.' },
    },
    probation_review_created: {
      kind: 'Eine Probezeitbeurteilung wartet auf Sie',
      title: 'Bitte beurteilen Sie die Probezeit von {person}',
      body: 'Sie ist am {date} fällig.',
      unassigned: {
        title: 'Niemand kann die Probezeit von {person} beurteilen',
        body: 'Bitte bestimmen Sie eine beurteilende Person. Die Beurteilung ist am {date} fällig.',
      },
    },
    probation_review_sent_back: {
      kind: 'Eine Probezeitbeurteilung kam an Sie zurück',
      title: 'Die Probezeitbeurteilung von {person} kam an Sie zurück',
      body: 'Bitte sehen Sie sich die Gründe an, und reichen Sie sie erneut ein.',
    },
    probation_review_submitted: {
      kind: 'Eine Probezeitbeurteilung wartet auf eine Entscheidung',
      title: 'Bitte entscheiden Sie über die Probezeit von {person}',
      body: 'Sie endet am {date}.',
    },
    probation_review_recalled: {
      kind: 'Eine Probezeitbeurteilung wurde zurückgezogen',
      title: 'Die Probezeitbeurteilung von {person} wurde zurückgezogen',
      body: 'Sie wird noch einmal überarbeitet.',
    },
    probation_review_approved: {
      kind: 'Über eine Probezeit wurde entschieden',
      title: 'Über die Probezeit von {person} wurde entschieden',
      body: 'Die Beurteilung ist abgeschlossen.',
      own: {
        title: 'Über Ihre Probezeit wurde entschieden',
        body: 'Bitte lesen Sie die Entscheidung, und bestätigen Sie, dass Sie sie kennen.',
      },
    },
    probation_review_reverted: {
      kind: 'Eine Entscheidung über eine Probezeit wurde zurückgenommen',
      title: 'Die Entscheidung über die Probezeit von {person} wurde zurückgenommen',
      body: 'Die Probezeit dauert bis {date}.',
      own: { title: 'Die Entscheidung über Ihre Probezeit wurde zurückgenommen', body: 'Sie dauert bis {date}.' },
    },
    probation_review_cancelled: {
      kind: 'Eine Probezeitbeurteilung wurde abgebrochen',
      title: 'Die Probezeitbeurteilung von {person} wurde abgebrochen',
      body: 'Es bleibt nichts zu tun.',
    },
    probation_reviewer_changed: {
      kind: 'Die Zuständigkeit für eine Probezeit hat gewechselt',
      title: 'Sie beurteilen die Probezeit von {person}',
      body: 'Die Beurteilung wurde Ihnen übergeben.',
      former: {
        title: 'Sie beurteilen die Probezeit von {person} nicht mehr',
        body: 'Jemand anderes hat übernommen.',
      },
    },
    probation_ending_reminder: {
      kind: 'Eine Probezeit endet',
      title: 'Die Probezeit von {person} endet am {date}',
      body: 'Es ist noch nicht darüber entschieden.',
    },
    employee_created: {
      kind: 'Eine Person kam hinzu',
      title: '{person} ist jetzt bei {company}',
      body: 'Personalakte und Konto sind angelegt.',
    },
    employee_confirmed: {
      kind: 'Eine Person wurde fest übernommen',
      title: '{person} wurde fest übernommen',
      body: 'Die Probezeit endete am {date}.',
      own: { title: 'Sie wurden fest übernommen', body: 'Ihre Probezeit endete am {date}.' },
    },
    employee_separated: {
      kind: 'Eine Person scheidet aus',
      title: '{person} scheidet aus',
      body: 'Der letzte Arbeitstag ist der {date}.',
    },
    job_change_applied: {
      kind: 'Eine Veränderung der Stelle gilt jetzt',
      title: '{person} berichtet jetzt an Sie',
      body: 'Die Veränderung gilt ab {date}.',
      own: { title: 'Ihre Stelle hat sich verändert', body: 'Die Veränderung gilt ab {date}.' },
    },
    job_change_cancelled: {
      kind: 'Eine geplante Veränderung der Stelle wurde abgesagt',
      title: 'Eine Veränderung der Stelle von {person} wurde abgesagt',
      body: 'Sie sollte ab dem {date} gelten. Wer sie geplant hat, darf sie nicht mehr vornehmen. Bitte planen Sie sie neu, wenn sie noch gewünscht ist.',
      own: {
        title: 'Eine von Ihnen geplante Veränderung der Stelle wurde abgesagt',
        body: 'Sie sollte ab dem {date} gelten. Sie dürfen sie nicht mehr vornehmen. Die zuständige Personalabteilung weiß davon.',
      },
    },
    password_reset_by_admin: {
      kind: 'Für Ihr Konto wurde ein Einmalpasswort ausgestellt',
      title: 'Für Ihr Konto wurde ein Einmalpasswort ausgestellt',
      body: '{actor} hat es gesehen, und alle Ihre Sitzungen wurden beendet. Wenn Sie nicht darum gebeten haben, sagen Sie es bitte der Personalabteilung.',
    },
    password_link: {
      kind: 'Wählen Sie ein neues Passwort',
      title: 'Ein Link zur Wahl eines neuen Passworts wurde Ihnen gesendet',
      body: '{actor} hat ihn an {address} gesendet. Er gilt einmal und 72 Stunden lang. Wenn Sie nicht darum gebeten haben, sagen Sie es bitte der Personalabteilung.',
    },
    password_shown: {
      kind: 'Ein Einmalpasswort wurde auf einem Bildschirm angezeigt',
      title: '{actor} hat ein Einmalpasswort für {person} ausgestellt',
      body: 'Es wurde {actor} auf dem Bildschirm angezeigt. Wenn das nicht abgesprochen war, beenden Sie die Sitzungen dieses Kontos.',
      many: {
        title: '{actor} hat {count} Einmalpasswörter ausgestellt',
        body: 'Sie wurden {actor} auf dem Bildschirm angezeigt. Das Prüfprotokoll nennt die Konten.',
      },
    },
    role_changed: {
      kind: 'Ihre Rollen haben sich geändert',
      title: 'Ihre Rollen haben sich geändert',
      body: 'Sie haben jetzt: {roles}.',
    },
    account_security_notice,
    import_finished: {
      kind: 'Ein Import ist fertig',
      title: 'Der Import von {file} ist fertig',
      body: '{created} angelegt, {updated} geändert, {skipped} übersprungen. Mit Fehlern: {failed}.',
      checked: {
        title: '{file} wurde geprüft',
        body: '{valid} von {total} Zeilen können importiert werden. Mit Fehlern: {failed}.',
      },
      failed: {
        title: 'Der Import von {file} ist fehlgeschlagen',
        body: '{created} angelegt, {updated} geändert, bevor er endete.',
      },
    },
  },
};
