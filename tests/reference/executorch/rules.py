def check(corpus, folder, report):
    pass
